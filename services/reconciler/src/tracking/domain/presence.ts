import type { PresenceInterval, TrackedVulnerability } from './types';

/** Whether the newest version contains the vulnerability. */
export function isPresent(vulnerability: TrackedVulnerability): boolean {
  const last = vulnerability.presence.at(-1);
  return last !== undefined && last.to === null;
}

/** Removes presence and snapshot; keeps the identity. */
export function clearPresence(vulnerability: TrackedVulnerability): TrackedVulnerability {
  return { ...vulnerability, presence: [], first_seen_at: null, last_seen: null, snapshot: null };
}

/** Whether an interval contains the version with a sequence number. */
export function includesSeq(
  { from, to }: Pick<PresenceInterval, 'from' | 'to'>,
  seq: number,
): boolean {
  return from <= seq && (to === null || seq <= to);
}

/** The first of some versions, by sequence, from a sequence number on. */
export function versionFrom<Version extends { seq: number }>(
  versions: readonly Version[],
  seq: number,
): Version | undefined {
  return versions[indexFrom(versions, seq)];
}

/** Its index, by binary search. */
export function indexFrom(versions: readonly { seq: number }[], seq: number): number {
  let [low, high] = [0, versions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((versions[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
