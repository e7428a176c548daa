import type { ActiveDecision } from '../tracking/domain/decision-types';
import * as messages from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import { recompute } from '../tracking/domain/reconcile';
import type { Observation, Snapshot, TrackedVulnerability } from '../tracking/domain/types';
import type { TrackedVulnerabilityDocument } from '../tracking/store/documents';
import { createServiceStateStore } from '../tracking/store/service-state-store';
import { createDetailsStore } from '../tracking/store/details-store';
import { createScanReader } from '../tracking/scan-reader';
import type { TestReconciler } from './start-reconciler';

/** A stored vulnerability with its listed fields. */
export type StoredVulnerability = TrackedVulnerabilityDocument & { snapshot: Snapshot | null };

/** A service of a project, with its uploads. */
export class TestService {
  readonly service_id = newId();
  private seq = 0;

  constructor(
    private readonly test: TestReconciler,
    readonly project_id: string = newId(),
  ) {
    const services = test.projects.get(project_id) ?? new Set();
    test.projects.set(project_id, services.add(this.service_id));
  }

  /** The next SBOM of the service, not sent to the reconciler yet. */
  upload(digest: string): messages.SbomReference {
    this.seq += 1;
    return {
      sbom_id: newId(),
      project_id: this.project_id,
      service_id: this.service_id,
      seq: this.seq,
      digest,
      created_at: new Date(1e12 + this.seq * 1000).toISOString(),
      lane: 'upload',
      revision: 0,
      attempt: 0,
    };
  }

  /** The next SBOM of the service, already reconciled. */
  async scanned(digest: string): Promise<messages.SbomReference> {
    const scan = this.upload(digest);
    await this.test.finish(scan);
    return scan;
  }

  /** @param finished no advisory change is pending for it */
  async remove({ sbom_id }: messages.SbomReference, finished = true): Promise<void> {
    const { service_id, project_id } = this;
    await this.test.bus.request(messages.removeSbom, { sbom_id, service_id, project_id, finished });
  }

  /** Removes several SBOMs without pending advisory changes. */
  async removeAll(sboms: readonly messages.SbomReference[]): Promise<void> {
    const { service_id, project_id } = this;
    const sbom_ids = sboms.map(({ sbom_id }) => sbom_id);
    const removal = { sbom_ids, service_id, project_id, finished: true };
    await this.test.bus.request(messages.removeSboms, removal);
  }

  /** Accepts a vulnerability in the whole project, without end. */
  async accept(vulnerability: { _id: string } | undefined): Promise<void> {
    await this.test.bus.request(messages.createAcceptance, {
      project_id: this.project_id,
      service_id: null,
      vulnerability_id: vulnerability?._id ?? '',
      reason: 'r',
      expires_at: null,
    });
  }

  /** All stored vulnerabilities, oldest first. */
  async documents(): Promise<StoredVulnerability[]> {
    const { service_id } = this;
    const vulnerabilities =
      this.test.db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
    const found = await vulnerabilities.find({ service_id }).sort({ _id: 1 }).toArray();
    const tracked = await createDetailsStore(this.test.db).toVulnerabilities(found);
    return found.map((document, index) => {
      return { ...document, snapshot: tracked[index]?.snapshot ?? null };
    });
  }

  /** Status by `package first-alias`. */
  async states(): Promise<Record<string, string>> {
    const documents = await this.documents();
    return Object.fromEntries(
      documents.map((vulnerability) => [
        `${vulnerability.snapshot?.package_name ?? '-'} ${vulnerability.origin}`,
        vulnerability.status,
      ]),
    );
  }

  /** The active list of this service. */
  async activeList(): Promise<messages.VulnerabilityView[]> {
    const { body } = await this.test.bus.request(messages.listActive, {
      page: 1,
      per_page: 200,
      sort: 'package_name',
      order: 'asc',
      project_id: this.project_id,
      service_id: this.service_id,
    });
    return body.items;
  }

  /** The vulnerabilities without ids: as stored, and as recomputed from SBOM versions and scans alone. */
  async storedAndRecomputed(acceptances: ActiveDecision[] = []): Promise<[unknown[], unknown[]]> {
    const { db, bus } = this.test;
    const sbomVersions = await createServiceStateStore({
      db,
      client: db.client,
      isUp: async () => true,
    }).sbomVersions(this.service_id);
    const observations = new Map<string, readonly Observation[]>();
    const scans = createScanReader({ request: bus.request, storeDetails: async () => {} });
    for (const { digest } of sbomVersions)
      observations.set(digest, (await scans.read({ digest, packages: null })).observations);
    const { vulnerabilities } = recompute(
      {
        service_id: this.service_id,
        vulnerabilities: [],
        acceptances,
        observations,
        newId,
        now: new Date().toISOString(),
      },
      sbomVersions,
    );
    const stored = await createDetailsStore(db).toVulnerabilities(await this.documents());
    return [comparable(stored), comparable(vulnerabilities)];
  }
}

function comparable(vulnerabilities: readonly TrackedVulnerability[]): unknown[] {
  return vulnerabilities
    .filter(({ status }) => status !== 'vanished' && status !== 'merged')
    .map(
      ({
        id: _id,
        identity: _identity,
        origin: _origin,
        merged_into: _merged,
        ...vulnerability
      }) => {
        const { alert_periods: _alertPeriods, ...comparable } = vulnerability;
        return comparable;
      },
    )
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/**
 * Services that each have a scanned SBOM of every set, each starting with a different set; returns the newest
 * SBOMs too.
 */
export async function servicesOver(
  test: TestReconciler,
  sets: readonly string[],
  count: number,
): Promise<{ services: TestService[]; newest: messages.SbomReference[] }> {
  const services = Array.from({ length: count }, () => new TestService(test));
  const newest = await Promise.all(
    services.map(async (service, n) => {
      const uploads = sets.map((_, release) =>
        service.upload(sets[(n + release) % sets.length] ?? ''),
      );
      for (const upload of uploads) await test.finish(upload);
      return uploads.at(-1) as messages.SbomReference;
    }),
  );
  return { services, newest };
}
