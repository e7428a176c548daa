import type { ActiveDecision } from '../../tracking/domain/decision-types';
import { addVersion, type TrackedService } from '../../tracking/domain/add-version';
import { removeVersions, refreshSnapshots } from '../../tracking/domain/remove-versions';
import { assignStatus } from '../../tracking/domain/assign-status';
import { retained } from '../../tracking/domain/expired-versions';
import { findingsHashOf } from '../../tracking/domain/findings-hash';
import { recompute, type Facts, type ServiceState } from '../../tracking/domain/reconcile';
import { sameValue } from '../../tracking/domain/same-value';
import type { Observation, SbomVersion, TrackedVulnerability } from '../../tracking/domain/types';
import { packageKeys, type ModelScanner } from './model-scanner';

/** A scan message to the reconciler. */
export interface ModelScan {
  service_id: string;
  sbomVersion: SbomVersion;
  /** The revision of a re-scan; 0 for the scan of an upload. */
  revision: number;
  /** The packages of a re-scan; absent: all. */
  packages?: readonly string[];
}

interface Service {
  state: ServiceState;
  /** Null: nothing was written yet. */
  revision: number | null;
  sbomVersions: Map<string, SbomVersion | 'removed'>;
  /** By SBOM and package: the edition of the scan that the vulnerabilities reflect. */
  read: Map<string, Record<string, number>>;
  /**
   * The findings with which another SBOM changes nothing, with the acceptances and vulnerabilities for which
   * that holds.
   */
  lastFindings: {
    hash: string;
    acceptances: string;
    vulnerabilities: readonly TrackedVulnerability[];
  } | null;
  deletion_state: boolean;
}

interface Harness {
  scanner: ModelScanner;
  acceptances: () => readonly ActiveDecision[];
  now: () => string;
  /** The time at which scans end and changes are applied. */
  moment: () => string;
}

export type ServiceStateDriver = ReturnType<typeof createServiceStateDriver>;

/**
 * Calls the rules like the use cases do (`reconcile-sbom`, `complete-rescan`, `remove-sbom`,
 * `apply-acceptance`), without stores.
 */
export function createServiceStateDriver(harness: Harness) {
  const services = new Map<string, Service>();
  let ids = 0;

  function serviceOf(id: string): Service {
    const empty = { state: { head: null, vulnerabilities: [] }, revision: null };
    const rest = {
      sbomVersions: new Map(),
      read: new Map(),
      lastFindings: null,
      deletion_state: false,
    };
    const service = services.get(id) ?? { ...empty, ...rest };
    services.set(id, service);
    return service;
  }

  function factsOf(service_id: string, vulnerabilities: readonly TrackedVulnerability[]): Facts {
    return {
      service_id,
      vulnerabilities,
      acceptances: harness.acceptances(),
      now: harness.now(),
      observations: new Map(),
      newId: () => String((ids += 1)).padStart(6, '0'),
    };
  }

  function reassignStatuses(service_id: string): void {
    const { state } = serviceOf(service_id);
    const at = { service_id: service_id, now: harness.now() };
    state.vulnerabilities = assignStatus(state.vulnerabilities, harness.acceptances(), at);
  }

  /** Changes with the active acceptances. */
  function epoch(): string {
    const now = harness.now();
    const active = harness
      .acceptances()
      .filter(({ expires_at }) => !expires_at || expires_at > now);
    return JSON.stringify(active);
  }

  /** The findings with which another SBOM changes nothing; null: unknown. */
  function knownFindings({ lastFindings, state }: Service): string | null {
    const isKnown =
      lastFindings?.acceptances === epoch() &&
      sameValue(lastFindings.vulnerabilities, state.vulnerabilities);
    return isKnown ? lastFindings.hash : null;
  }

  function sbomVersionsOf(service: Service): SbomVersion[] {
    return [...service.sbomVersions.values()].filter((sbomVersion) => sbomVersion !== 'removed');
  }

  /** Recomputes the vulnerabilities of these packages from all versions. */
  function recomputed(
    service_id: string,
    sbomVersions: SbomVersion[],
    scope: { packages?: readonly string[] | undefined; added?: string } = {},
  ): ServiceState {
    const { packages, added } = scope;
    const service = serviceOf(service_id);
    const isIncluded = ({ package_key }: { package_key: string }): boolean =>
      !packages || packages.includes(package_key);
    const facts = factsOf(service_id, service.state.vulnerabilities.filter(isIncluded));
    const observations = new Map(
      sbomVersions.map(({ digest }) => {
        return [digest, harness.scanner.read(Number(digest)).observations.filter(isIncluded)];
      }),
    );
    const change = { at: harness.moment(), added: new Set(added === undefined ? [] : [added]) };
    const { head, vulnerabilities } = recompute({ ...facts, observations, change }, sbomVersions);
    return {
      head,
      vulnerabilities: [
        ...service.state.vulnerabilities.filter((vulnerability) => !isIncluded(vulnerability)),
        ...vulnerabilities,
      ],
    };
  }

  function removed(
    service_id: string,
    sbomVersions: SbomVersion[],
    removed: ReadonlySet<string>,
  ): ServiceState | null {
    const { vulnerabilities } = serviceOf(service_id).state;
    const inOrder = [...sbomVersions].sort((a, b) => a.seq - b.seq);
    const without = removeVersions(vulnerabilities, inOrder, removed);
    const read = [...without.staleSnapshots.values()].map(
      ({ digest }) => [digest, harness.scanner.read(Number(digest)).observations] as const,
    );
    return refreshSnapshots(
      { ...factsOf(service_id, vulnerabilities), observations: new Map(read) },
      without,
    );
  }

  /** Adds one version by its own scan alone; null if that does not suffice. */
  function appended(
    service_id: string,
    sbomVersion: SbomVersion,
    observations: readonly Observation[],
  ): TrackedService | null {
    const service = serviceOf(service_id);
    const { head, vulnerabilities } = service.state;
    const facts = factsOf(service_id, vulnerabilities);
    const seqs = sbomVersionsOf(service).map(({ seq }) => seq);
    seqs.sort((a, b) => a - b);
    const findingsHash = knownFindings(service);
    const known = { head, vulnerabilities, findingsHash };
    const scan = {
      observations,
      revision: 0,
      findingsHash: () => findingsHashOf(observations),
    };
    return addVersion(known, { sbomVersion, scan, seqs }, facts);
  }

  /** Records the editions that the vulnerabilities now reflect. */
  function recordEditions(
    service: Service,
    sbomVersions: readonly SbomVersion[],
    packages: readonly string[] = packageKeys,
  ): void {
    for (const { sbom_id, digest } of sbomVersions) {
      const { editions } = harness.scanner.read(Number(digest));
      const read = packages.map((key) => [key, editions[key] ?? 0]);
      service.read.set(sbom_id, { ...service.read.get(sbom_id), ...Object.fromEntries(read) });
    }
  }

  function revisionOf(sbomVersions: readonly SbomVersion[]): number {
    const revisions = sbomVersions.map(
      ({ digest }) => harness.scanner.read(Number(digest)).revision,
    );
    return revisions.length > 0 ? Math.min(...revisions) : 0;
  }

  return {
    reassignStatuses,
    /** Whether a changed scan was not delivered yet. */
    hasPendingUpdates(service_id: string): boolean {
      const service = serviceOf(service_id);
      return retained(sbomVersionsOf(service)).some(({ sbom_id, digest }) => {
        const { editions } = harness.scanner.read(Number(digest));
        return packageKeys.some((key) => editions[key] !== service.read.get(sbom_id)?.[key]);
      });
    },
    head: (service_id: string): SbomVersion | null => serviceOf(service_id).state.head,
    vulnerabilities: (service_id: string): readonly TrackedVulnerability[] =>
      serviceOf(service_id).state.vulnerabilities,
    sbomVersions: (service_id: string): SbomVersion[] => sbomVersionsOf(serviceOf(service_id)),
    /** Recomputes from SBOM versions and scans alone. */
    fromNothing(service_id: string, sbomVersions: readonly SbomVersion[]): TrackedVulnerability[] {
      const read = ({ digest }: SbomVersion) =>
        [digest, harness.scanner.read(Number(digest)).observations] as const;
      return recompute(
        { ...factsOf(service_id, []), observations: new Map(sbomVersions.map(read)) },
        sbomVersions,
      ).vulnerabilities;
    },
    /** The result of a full recomputation. */
    again: (service_id: string): TrackedVulnerability[] =>
      recomputed(service_id, sbomVersionsOf(serviceOf(service_id))).vulnerabilities,

    deliver(scan: ModelScan): void {
      const { service_id } = scan;
      const sbomVersion = { ...scan.sbomVersion, scanned_at: harness.moment() };
      const service = serviceOf(service_id);
      if (service.deletion_state) return;
      const known = service.sbomVersions.get(sbomVersion.sbom_id);
      if (known === 'removed' || (known && scan.revision <= (service.revision ?? -1))) {
        reassignStatuses(service_id);
        return;
      }
      if (!known && scan.revision === 0) {
        const { observations, revision } = harness.scanner.read(Number(sbomVersion.digest));
        const added = appended(service_id, sbomVersion, observations);
        if (added) {
          const { head: newest, vulnerabilities, findingsHash: hash } = added;
          const state = { head: newest, vulnerabilities: [...vulnerabilities] };
          service.lastFindings =
            hash === null
              ? null
              : { hash, acceptances: epoch(), vulnerabilities: state.vulnerabilities };
          service.sbomVersions.set(sbomVersion.sbom_id, sbomVersion);
          recordEditions(service, [sbomVersion]);
          Object.assign(service, {
            state,
            revision: Math.min(service.revision ?? revision, revision),
          });
          return;
        }
      }
      const packages = known ? scan.packages : undefined;
      if (!known) service.sbomVersions.set(sbomVersion.sbom_id, sbomVersion);
      const added = known ? {} : { added: sbomVersion.sbom_id };
      const sbomVersions = sbomVersionsOf(service);
      service.state = recomputed(service_id, sbomVersions, { packages, ...added });
      recordEditions(service, sbomVersions, packages);
      if (!packages) service.revision = revisionOf(sbomVersions);
    },

    /** @param applied no re-scan is pending for any of them */
    remove(service_id: string, sbom_ids: readonly string[], applied: boolean): void {
      const service = serviceOf(service_id);
      const before = sbomVersionsOf(service);
      for (const id of sbom_ids) service.sbomVersions.set(id, 'removed');
      const left = sbomVersionsOf(service);
      if (left.length === before.length) return;
      const state = applied ? removed(service_id, before, new Set(sbom_ids)) : null;
      if (state) {
        service.state = state;
        return;
      }
      service.state = recomputed(service_id, left);
      recordEditions(service, left);
      service.revision = revisionOf(left);
    },

    /** Drops the findings of an SBOM. */
    expire(service_id: string, sbom_id: string): void {
      const { sbomVersions } = serviceOf(service_id);
      const known = sbomVersions.get(sbom_id);
      if (known && known !== 'removed') sbomVersions.set(sbom_id, { ...known, expired: true });
    },

    deleteService(service_id: string): void {
      Object.assign(serviceOf(service_id), {
        deletion_state: true,
        state: { head: null, vulnerabilities: [] },
      });
    },
  };
}
