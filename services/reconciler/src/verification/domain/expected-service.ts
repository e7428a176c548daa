import type { StoredVersion } from './compare-versions';
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

/**
 * The expected data of a service: vulnerabilities follow from the SBOM versions that the catalog has, scans and
 * acceptances. The stored vulnerabilities only contribute their ids.
 *
 * @param facts without vulnerabilities
 */
export function expectedService(
  stored: StoredState,
  sbomVersions: readonly SbomVersion[],
  facts: Omit<Facts, 'vulnerabilities'>,
): ServiceState {
  const vulnerabilities = updateVulnerabilities(stored.vulnerabilities);
  return recompute({ ...facts, vulnerabilities }, sbomVersions);
}

/** Compares the head and the vulnerabilities of a service with the expected ones. */
export function compareService(stored: StoredState, expected: ServiceState): Difference[] {
  const head: Difference = {
    kind: 'head-differs',
    id: expected.head?.sbom_id ?? null,
    about: 'newest scanned SBOM of the service state',
    stored: formatHead(stored.head),
    expected: formatHead(expected.head),
  };
  return [
    ...(sameValue(stored.head, expected.head) ? [] : [head]),
    ...compareVulnerabilities(stored.vulnerabilities, expected.vulnerabilities),
  ];
}

function formatHead(head: SbomVersion | null): string {
  return head === null ? 'none' : `${head.sbom_id} with sequence ${formatValue(head.seq)}`;
}
