import { compareVersions, type StoredVersion, type RegisteredSbom } from './compare-versions';
import { compareVulnerabilities, formatValue } from './compare-vulnerabilities';
import type { Difference } from './difference';
import { updateVulnerabilities } from './update-vulnerabilities';
import { recompute, type Facts, type ServiceState } from './reconcile';
import { sameValue } from './same-value';
import type { SbomVersion, TrackedVulnerability } from './types';

/** A line as it is stored, as far as the rules know it. */
export interface StoredState {
  head: SbomVersion | null;
  vulnerabilities: readonly TrackedVulnerability[];
  sbomVersions: readonly StoredVersion[];
}

/** The catalog's records from before and from after the line was read. */
export interface Registered {
  before: readonly RegisteredSbom[];
  after: readonly RegisteredSbom[];
}

/** What a line should be. */
export interface ExpectedService {
  state: ServiceState;
  /** What is to be stored of its log. */
  fixes: StoredVersion[];
}

/**
 * The line that follows from the facts: the catalog's records say which SBOMs the log has, the scans and
 * the acceptances what the rows are, the stored rows only which ids they have.
 *
 * @param facts without rows
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

/** How the log, the newest entry and the rows of a line differ from what they should be. */
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
          ...{ kind: 'head-differs', id: state.head?.sbom_id ?? null },
          about: 'newest scanned SBOM of the ledger',
          ...{ stored: formatHead(stored.head), expected: formatHead(state.head) },
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
