import { decidedStatuses } from '../domain/decisions';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';
import type { ServiceChange, StoredService } from './write-changes';

const order: readonly TrackedVulnerability['status'][] = [
  'open',
  ...decidedStatuses,
  'fixed',
  'vanished',
  'merged',
];

/**
 * Splits a change into parts of at most `vulnerabilitiesAtOnce` vulnerabilities, each written in its own
 * transaction, in this order. Readers may see the state between two parts:
 *
 * - Every vulnerability is in its old or its new state, and refers to stored SBOM versions: new versions come
 *   with the first part, removed ones go with the last.
 * - Vulnerabilities that will be listed come first, so that none is missing in between.
 * - The service state records pending updates, and nothing that holds for all vulnerabilities only.
 *
 * Returns one part if that suffices.
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
    pendingUpdates: change.pendingUpdates ?? {
      began: before.state?.version ?? 0,
      removing: removing.map(({ _id }) => _id),
    },
    replacedVersions: [],
    newVersions: [],
    lastFindings: undefined,
    packageRevisions: undefined,
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

/** The head while both old and new versions are stored. */
function later(before: SbomVersion | null, after: SbomVersion | null): SbomVersion | null {
  return before && (!after || before.seq > after.seq) ? before : after;
}
