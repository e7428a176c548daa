import { compareVersions, type StoredVersion, type RegisteredSbom } from './compare-versions';
import { compareVulnerabilities, formatValue } from './compare-vulnerabilities';
import type { Difference } from './difference';
import { updateVulnerabilities } from '../../tracking/domain/update-vulnerabilities';
import { recompute, type Facts, type ServiceState } from '../../tracking/domain/reconcile';
import { sameValue } from '../../tracking/domain/same-value';
import type { SbomVersion, TrackedVulnerability } from '../../tracking/domain/types';

/** The stored data of a service. */
export interface StoredState {
  head: SbomVersion | null;
  vulnerabilities: readonly TrackedVulnerability[];
  sbomVersions: readonly StoredVersion[];
}

/** The catalog's records, read before and after the service. */
export interface Registered {
  before: readonly RegisteredSbom[];
  after: readonly RegisteredSbom[];
}

/** The expected data of a service. */
export interface ExpectedService {
  state: ServiceState;
  /** The versions and tombstones that must be written. */
  fixes: StoredVersion[];
}

/**
 * Computes the expected data of a service: SBOM versions follow from the catalog, vulnerabilities from scans
 * and acceptances. The stored vulnerabilities only contribute their ids.
 *
 * @param facts without vulnerabilities
 */
export function expectedService(
  stored: StoredState,
  registered: Registered,
  facts: Omit<Facts, 'vulnerabilities'>,
): ExpectedService {
  const { sbomVersions, fixes } = compareVersions(
    stored.sbomVersions,
    registered.before,
    registered.after,
  );
  return {
    state: recompute(
      { ...facts, vulnerabilities: updateVulnerabilities(stored.vulnerabilities) },
      sbomVersions,
    ),
    fixes,
  };
}

/** Compares the SBOM versions, the head and the vulnerabilities of a service with the expected ones. */
export function compareService(
  stored: StoredState,
  registered: Registered,
  facts: Omit<Facts, 'vulnerabilities'>,
): Difference[] {
  const { differences } = compareVersions(stored.sbomVersions, registered.before, registered.after);
  const { state } = expectedService(stored, registered, facts);
  const head: Difference[] = sameValue(stored.head, state.head)
    ? []
    : [
        {
          kind: 'head-differs',
          id: state.head?.sbom_id ?? null,
          about: 'newest scanned SBOM of the service state',
          stored: formatHead(stored.head),
          expected: formatHead(state.head),
        },
      ];
  return [
    ...differences,
    ...head,
    ...compareVulnerabilities(stored.vulnerabilities, state.vulnerabilities),
  ];
}

function formatHead(head: SbomVersion | null): string {
  return head === null ? 'none' : `${head.sbom_id} with sequence ${formatValue(head.seq)}`;
}
