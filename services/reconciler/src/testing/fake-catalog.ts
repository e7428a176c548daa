import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import type { Database } from '@bomtrail/mongo';
import { composeCheck } from '../command/compose-check';
import { verifyServices, type Totals, type Verdict } from '../verification/verify-services';
import { TestService } from './service';
import type { TestReconciler } from './start-reconciler';

type FakeSbom = Omit<messages.ServiceSbom, 'scan_status' | 'rescan_pending'>;

/** Fake responses of the catalog and the scanner to a check. */
export interface FakeCatalog {
  services: Map<string, { project_id: string; sboms: FakeSbom[] }>;
  /** SBOMs with a pending re-scan. */
  pendingRescans: Set<string>;
  /** Deleted services that may not be purged yet. */
  deleting: Set<string>;
  dataStatus: { applied: boolean; rescans_requested: boolean };
  /** A service whose uploads are in the fake catalog. */
  newService(projectId?: string): RegisteredService;
}

/** A service whose SBOMs are in the fake catalog. */
export class RegisteredService extends TestService {
  constructor(
    private readonly catalog: FakeCatalog,
    harness: TestReconciler,
    projectId?: string,
  ) {
    super(harness, projectId);
    catalog.services.set(this.service_id, { project_id: this.project_id, sboms: [] });
  }

  override upload(digest: string): messages.SbomReference {
    const scan = super.upload(digest);
    const { sbom_id, seq, created_at } = scan;
    this.sboms.push({ sbom_id, seq, digest, created_at, deleting: false });
    return scan;
  }

  /** In the order of the catalog: tombstone, removal from the reconciler, deletion. */
  override async remove(sbom: messages.SbomReference): Promise<void> {
    const stored = this.sboms.find(({ sbom_id }) => sbom_id === sbom.sbom_id);
    if (stored) stored.deleting = true;
    await super.remove(sbom);
    this.deleteSbomOf(sbom.sbom_id);
  }

  /** Deletes the SBOM from the catalog. */
  deleteSbomOf(sbomId: string): void {
    this.sboms.splice(
      this.sboms.findIndex(({ sbom_id }) => sbom_id === sbomId),
      1,
    );
  }

  get sboms(): FakeSbom[] {
    return this.catalog.services.get(this.service_id)?.sboms ?? [];
  }
}

/** Handles the requests of a check to the catalog and the scanner. */
export function fakeCatalog(harness: TestReconciler): FakeCatalog {
  const catalog: FakeCatalog = {
    services: new Map(),
    pendingRescans: new Set(),
    deleting: new Set(),
    dataStatus: { applied: true, rescans_requested: true },
    newService: (projectId) => new RegisteredService(catalog, harness, projectId),
  };
  const namesOf = (service_id: string): messages.ServiceNames[] => {
    const service = catalog.services.get(service_id);
    if (!service) return [];
    const { project_id } = service;
    const names = {
      project_name: 'Web Shop',
      project_slug: 'web-shop',
      service_name: `service ${service_id.slice(-4)}`,
    };
    return [{ service_id, project_id, ...names }];
  };
  const { serve } = harness.bus;
  serve(
    handles(messages.listAllServices, async ({ project_id, after, limit }) => {
      const ids = [...catalog.services.keys()].filter((id) => id > (after ?? '')).sort();
      const page = ids.slice(0, limit);
      const services = page
        .flatMap(namesOf)
        .filter((one) => one.project_id === (project_id ?? one.project_id));
      return { body: { services, next: page.length < limit ? null : (page.at(-1) ?? null) } };
    }),
  );
  serve(
    handles(messages.nameServices, async ({ service_ids }) => ({
      body: service_ids.flatMap(namesOf),
    })),
  );
  serve(
    handles(messages.listServiceSboms, async ({ service_id, after_seq, limit }) => {
      const service = catalog.services.get(service_id);
      const state: 'active' | 'deleting' | 'unknown' = service
        ? 'active'
        : catalog.deleting.has(service_id)
          ? 'deleting'
          : 'unknown';
      const pendingUpdates = (service?.sboms ?? [])
        .filter(({ seq }) => seq > after_seq)
        .slice(0, limit);
      const isScanned = (id: string): boolean =>
        harness.reconciled.some((one) => one.sbom_id === id);
      const sboms = pendingUpdates.map((sbom) => ({
        ...sbom,
        scan_status: isScanned(sbom.sbom_id) ? ('scanned' as const) : ('pending' as const),
        rescan_pending: catalog.pendingRescans.has(sbom.sbom_id),
      }));
      return { body: { service: state, project_id: service?.project_id ?? null, sboms } };
    }),
  );
  serve(
    handles(messages.getProject, async ({ project_id }) => {
      const known = [...catalog.services.values()].some(
        (service) => service.project_id === project_id,
      );
      if (!known || project_id === null) throw new AppError('project_not_found');
      return { body: { id: project_id } as messages.ProjectView };
    }),
  );
  serve(
    handles(messages.readDataStatus, async () => ({
      body: { revision: Math.max(1, ...harness.revisions.values()), ...catalog.dataStatus },
    })),
  );
  serve(
    handles(messages.readCoverages, async ({ digests }) => {
      const coverage = { components: 1, evaluated: 1, undetermined: {} };
      const known = digests.filter((digest) => harness.scans.has(digest));
      return { body: { coverages: Object.fromEntries(known.map((one) => [one, coverage])) } };
    }),
  );
  return catalog;
}

/** Runs a check of all services or of one, like the command; with `repair` also a repair. */
export async function verified(
  harness: TestReconciler,
  options: { service?: TestService; repair?: boolean; patienceMs?: number } = {},
): Promise<{ verdicts: Verdict[]; totals: Totals }> {
  const { db } = harness;
  const database: Database = { db, client: db.client, isUp: async () => true };
  const { verify, repair } = composeCheck(database, harness.bus.connection);
  const verdicts: Verdict[] = [];
  const totals = await verifyServices(
    {
      verify,
      repair: options.repair ? repair : null,
      progress: () => {},
      report: (verdict) => void verdicts.push(verdict),
      patienceMs: options.patienceMs ?? 20_000,
    },
    { service_id: options.service?.service_id },
  );
  return { verdicts, totals };
}
