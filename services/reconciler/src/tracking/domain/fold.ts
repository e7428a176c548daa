import { newInterval } from './detected';
import { sameValue } from './same-value';
import type { SbomVersion, TrackedVulnerability, PresenceInterval, Snapshot } from './types';

/** The vulnerabilities of a service after a prefix of its SBOM versions. */
export interface Presence {
  /** The newest version so far. */
  head: SbomVersion | null;
  vulnerabilities: ReadonlyMap<string, TrackedVulnerability>;
}

/**
 * Applies the next SBOM version. Presence is a function of the existing versions in order of sequence. The
 * interval of a present vulnerability is open-ended, so a version without changes rewrites nothing.
 *
 * - R7 A vulnerability that was absent and is in the version starts a presence interval.
 * - R8 A vulnerability that was present and is not in the version ends its interval at the version before.
 * - R9 First seen is the first version that contains it; last seen is recorded once it is no longer present.
 *
 * @param snapshots what the version contains, by vulnerability id
 */
export function applyVersion(
  before: Presence,
  sbomVersion: SbomVersion,
  snapshots: ReadonlyMap<string, Snapshot>,
): Presence {
  const vulnerabilities = new Map(before.vulnerabilities);
  for (const [id, snapshot] of snapshots) {
    const vulnerability = vulnerabilities.get(id);
    if (!vulnerability) throw new Error(`There is no tracked vulnerability ${id}.`);
    const present = isPresent(vulnerability);
    if (present && sameValue(vulnerability.snapshot, snapshot)) continue;
    vulnerabilities.set(id, {
      ...vulnerability,
      presence: present
        ? vulnerability.presence
        : [...vulnerability.presence, newInterval(sbomVersion, null)],
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

/** Whether the newest version contains the vulnerability. */
export function isPresent(vulnerability: TrackedVulnerability): boolean {
  const last = vulnerability.presence.at(-1);
  return last !== undefined && last.to === null;
}

/** Removes presence and snapshot; keeps the identity. */
export function clearPresence(vulnerability: TrackedVulnerability): TrackedVulnerability {
  return { ...vulnerability, presence: [], first_seen_at: null, last_seen: null, snapshot: null };
}

function endInterval(presence: readonly PresenceInterval[], to: number): PresenceInterval[] {
  return presence.map((interval, index) =>
    index === presence.length - 1 ? { ...interval, to } : interval,
  );
}
