import type { ServiceView } from '@bomtrail/messages';
import { ownershipView } from '../domain/ownership';
import type { ServiceDocument } from '../store/documents';
import type { SbomStore } from '../store/sbom-store';

/** Named services for other services, in order, with the state of their newest SBOMs. */
export async function serviceViews(
  { sboms }: { sboms: Pick<SbomStore, 'statesOf'> },
  services: readonly ServiceDocument[],
): Promise<ServiceView[]> {
  const states = await sboms.statesOf(services.flatMap(({ latest }) => latest?.sbom_id ?? []));
  return services.map((service) => {
    const { _id: id, name, project_id, latest } = service;
    const state = latest && states.get(latest.sbom_id);
    return {
      id,
      name: name ?? '',
      project_id,
      latest_sbom: latest && {
        id: latest.sbom_id,
        version: latest.version,
        created_at: latest.created_at.toISOString(),
        scan_status: state?.scan_status ?? 'pending',
        retained: !state?.expired,
        digest: state?.digest ?? null,
      },
      ...ownershipView(service),
    };
  });
}
