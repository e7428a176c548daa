import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type { ServiceChange, StoredService } from './write-changes';

const order: readonly TrackedVulnerability['status'][] = [
  'open',
  'accepted',
  'fixed',
  'vanished',
  'merged',
];

/**
 * A change of a line in parts of at most `vulnerabilitiesAtOnce` rows, to be written in this order, each in a
 * transaction of its own. What is stored between two of them can be read:
 *
 * - Every row is as it was before, or as it will be, and stands on entries that the log holds: those that
 *   join come with the first part, those that leave go with the last one.
 * - What is shown afterwards comes first, before what is gone then, so that nothing is missing meanwhile
 *   that stays.
 * - The ledger says that rows are behind, and nothing that is only true of all of them.
 *
 * One part where that suffices.
 */
export function splitChange(
  before: StoredService,
  change: ServiceChange,
  vulnerabilitiesAtOnce: number,
): ServiceChange[] {
  if (change.vulnerabilities.length <= vulnerabilitiesAtOnce) return [change];
  const vulnerabilities = order.flatMap((status) =>
    change.vulnerabilities.filter((vulnerability) => vulnerability.status === status),
  );
  const joining = change.replacedVersions.filter((sbomVersion) => !('removed' in sbomVersion));
  const removing = change.replacedVersions.filter((sbomVersion) => 'removed' in sbomVersion);
  const partial: ServiceChange = {
    ...change,
    head: later(before.state?.head ?? null, change.head),
    revision: before.state?.revision ?? 0,
    pendingUpdates: change.pendingUpdates ?? { removing: removing.map(({ _id }) => _id) },
    ...{
      replacedVersions: [],
      newVersions: [],
      lastFindings: undefined,
      packageRevisions: undefined,
    },
  };
  const parts: ServiceChange[] = [];
  for (let from = 0; from < vulnerabilities.length; from += vulnerabilitiesAtOnce) {
    const isFirst = from === 0;
    const isLast = from + vulnerabilitiesAtOnce >= vulnerabilities.length;
    parts.push({
      ...(isLast ? change : partial),
      vulnerabilities: vulnerabilities.slice(from, from + vulnerabilitiesAtOnce),
      replacedVersions: [...(isFirst ? joining : []), ...(isLast ? removing : [])],
      newVersions: isFirst ? change.newVersions : [],
    });
  }
  return parts;
}

/** The head as long as both the entries of before and those of afterwards are in the log. */
function later(before: SbomVersion | null, after: SbomVersion | null): SbomVersion | null {
  return before && (!after || before.seq > after.seq) ? before : after;
}
