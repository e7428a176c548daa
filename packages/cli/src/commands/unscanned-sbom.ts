import type { ApiClient } from '@bomtrail/api-client';

type Api = Pick<ApiClient, 'history' | 'listServices'>;

/** As many SBOMs of a project as are searched for one of the project itself. */
const searched = 200;

const noSbom = 'it has no SBOM';

interface Newest {
  scan_status?: 'pending' | 'scanned' | 'failed';
  retained?: boolean;
  coverage?: { evaluated: number } | null;
}

/**
 * Says which newest SBOMs of a service, or of a whole project, are not scanned, have no component that could be
 * evaluated, or lost their content by retention, or that there is none: lists are then without them or without later
 * advisories, and an empty one means nothing.
 *
 * @returns null if none is, or no project is meant
 */
export async function unscannedSbom(
  api: Api,
  { project_id, service_id }: { project_id?: string; service_id?: string },
): Promise<string | null> {
  if (project_id === undefined) return null;
  if (service_id === undefined) return unscannedOfProject(api, project_id);
  const [newest] = (await api.history(project_id, { service_id, per_page: 1 })).items;
  if (!newest) return noSbom;
  if (newest.retained === false)
    return `retention dropped the content of its newest SBOM ${newest.id}: upload it again`;
  if (newest.scan_status === 'failed')
    return `the scan of its newest SBOM ${newest.id} failed: upload it again`;
  if (newest.scan_status === 'pending')
    return `its newest SBOM is not scanned: bomtrail status ${newest.id} --wait`;
  return isUnevaluated(newest)
    ? `no component of its newest SBOM could be evaluated: bomtrail status ${newest.id}`
    : null;
}

async function unscannedOfProject(api: Api, project_id: string): Promise<string | null> {
  const { items } = await api.history(project_id, { per_page: searched });
  if (items.length === 0) return noSbom;
  const ofProject = items.find((one) => one.service_id === null) ?? null;
  const services = await api.listServices(project_id);
  const newest = [
    ...services.map(({ name, latest_sbom }) => ({ name, why: whyUnknown(latest_sbom) })),
    { name: 'the project', why: whyUnknown(ofProject) },
  ];
  const unknown = newest.filter(({ why }) => why !== null);
  const [first] = unknown;
  if (!first) return null;
  const others = unknown.length > 1 ? `, and ${unknown.length - 1} more,` : '';
  return `the newest SBOM of ${first.name}${others} ${first.why}`;
}

/** A server of before says less of it. */
function whyUnknown(newest: Newest | null): string | null {
  if (newest?.retained === false) return 'has no content any more: retention dropped it';
  const { scan_status = 'scanned' } = newest ?? {};
  if (scan_status !== 'scanned') return `is not scanned (${scan_status})`;
  return newest && isUnevaluated(newest) ? 'has no component that could be evaluated' : null;
}

/** Also of a document without components. */
function isUnevaluated({ coverage }: Newest): boolean {
  return coverage?.evaluated === 0;
}
