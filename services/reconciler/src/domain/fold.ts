import { sameValue } from './same-value';
import type { SbomVersion, TrackedVulnerability, PresenceInterval, Snapshot } from './types';

/** The presence of a line's vulnerabilities after some entries of its log. */
export interface Presence {
  /** The newest entry so far. */
  head: SbomVersion | null;
  vulnerabilities: ReadonlyMap<string, TrackedVulnerability>;
}

/**
 * Takes the next entry of the log. Presence is a function of the entries that exist, in the order of
 * their sequence; an open-ended run means that an entry without change rewrites no row.
 *
 * - R7 What the entry holds and what was absent begins a run.
 * - R8 What was present and the entry does not hold ends its run at the entry before.
 * - R9 First seen is the first entry that holds it; last seen is kept once it is no longer present.
 *
 * @param held what the entry shows, by row id
 */
export function applyVersion(
  before: Presence,
  sbomVersion: SbomVersion,
  snapshots: ReadonlyMap<string, Snapshot>,
): Presence {
  const vulnerabilities = new Map(before.vulnerabilities);
  for (const [id, snapshot] of snapshots) {
    const vulnerability = vulnerabilities.get(id);
    if (!vulnerability) throw new Error(`There is no row ${id} to show.`);
    const present = isPresent(vulnerability);
    if (present && sameValue(vulnerability.snapshot, snapshot)) continue;
    vulnerabilities.set(id, {
      ...vulnerability,
      presence: present
        ? vulnerability.presence
        : [...vulnerability.presence, { from: sbomVersion.seq, to: null }],
      first_seen_at: vulnerability.first_seen_at ?? sbomVersion.created_at,
      last_seen: null,
      snapshot,
    });
  }
  for (const vulnerability of before.vulnerabilities.values()) {
    if (!isPresent(vulnerability) || snapshots.has(vulnerability.id) || !before.head) continue;
    vulnerabilities.set(vulnerability.id, {
      ...vulnerability,
      presence: endInterval(vulnerability.presence, before.head.seq),
      last_seen: { sbom_id: before.head.sbom_id, at: before.head.created_at },
    });
  }
  return { head: sbomVersion, vulnerabilities };
}

/** Is the row in the newest entry? */
export function isPresent(vulnerability: TrackedVulnerability): boolean {
  const last = vulnerability.presence.at(-1);
  return last !== undefined && last.to === null;
}

/** A row as if no entry had been taken; its identity stays. */
export function clearPresence(vulnerability: TrackedVulnerability): TrackedVulnerability {
  return { ...vulnerability, presence: [], first_seen_at: null, last_seen: null, snapshot: null };
}

function endInterval(presence: readonly PresenceInterval[], to: number): PresenceInterval[] {
  return presence.map((interval, index) =>
    index === presence.length - 1 ? { ...interval, to } : interval,
  );
}
