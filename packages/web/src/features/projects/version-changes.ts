import type { Schemas } from '../../api/client';

type Tracked = Pick<Schemas['TrackedVulnerability'], 'id' | 'introduced_in' | 'fixed_in'>;
type Event = Pick<Schemas['TimelineEvent'], 'event' | 'sbom_id'>;

/** How many findings an SBOM opened, opened again after a fix, and fixed. */
export interface VersionChange {
  opened: number;
  reopened: number;
  fixed: number;
}

/**
 * What each SBOM did to these findings, by its id. A finding itself tells only where it came first and where it is
 * gone now; where one that came back was gone in between, its events tell.
 */
export function versionChanges(
  findings: readonly Tracked[],
  eventsOf: ReadonlyMap<string, readonly Event[]> = new Map(),
): Map<string, VersionChange> {
  const changes = new Map<string, VersionChange>();
  const count = (sbomId: string, what: keyof VersionChange) => {
    const known = changes.get(sbomId) ?? { opened: 0, reopened: 0, fixed: 0 };
    known[what] += 1;
    changes.set(sbomId, known);
  };
  for (const { id, introduced_in, fixed_in } of findings) {
    count(introduced_in.sbom_id, 'opened');
    const events = eventsOf.get(id);
    if (!events) {
      if (fixed_in) count(fixed_in.sbom_id, 'fixed');
      continue;
    }
    for (const { event, sbom_id } of events) {
      if (sbom_id && (event === 'reopened' || event === 'fixed')) count(sbom_id, event);
    }
  }
  return changes;
}
