import type { PresenceInterval, SbomVersion, TrackedVulnerability } from './types';
import { versionFrom } from './presence';
import { addTo } from './grouped';

/** A change of what versions contain, for the presence intervals that start with it. */
export interface FindingsChange {
  /** When the advisory change took effect, or, if that is unknown, the present time (ISO 8601). */
  at: string;
  /** Ids of the SBOMs that are applied for the first time. */
  added: ReadonlySet<string>;
}

/** The time since which the vulnerability is present, or of its last presence; null: unknown. */
export function detectedAt({ presence }: Pick<TrackedVulnerability, 'presence'>): string | null {
  return presence.at(-1)?.detected_at ?? null;
}

/** An interval that starts with a version by its own scan (DT1). */
export function newInterval({ seq, scanned_at }: SbomVersion, to: number | null): PresenceInterval {
  return withDetectedAt({ from: seq, to }, scanned_at);
}

/** The same interval, detected at this time. */
export function withDetectedAt(
  { from, to }: PresenceInterval,
  detected_at: string | undefined,
): PresenceInterval {
  return detected_at === undefined ? { from, to } : { from, to, detected_at };
}

/**
 * DT4 The time of an interval whose SBOM versions were partly deleted: not before the scan of the first
 * remaining one.
 */
export function afterDelete(
  interval: PresenceInterval,
  firstLeft: SbomVersion,
): string | undefined {
  const { from, detected_at } = interval;
  return firstLeft.seq === from ? detected_at : later(detected_at, firstLeft.scanned_at);
}

/** DT3 The time of intervals that became one: the earliest; unknown if one of them is. */
export function earliest(times: readonly (string | undefined)[]): string | undefined {
  return times.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b));
}

/**
 * Gives the intervals of recomputed vulnerabilities their times of detection: those of the stored intervals
 * that they share a version with (DT2 to DT5), else by DT1.
 *
 * @param stored the vulnerabilities before the recomputation
 * @param sbomVersions all existing versions, by sequence
 * @param change absent: no version was applied before
 */
export function withDetection(
  recomputed: readonly TrackedVulnerability[],
  stored: readonly TrackedVulnerability[],
  at: { sbomVersions: readonly SbomVersion[]; change: FindingsChange | undefined },
): TrackedVulnerability[] {
  const storedByAlias = byAlias(stored);
  const { sbomVersions, change } = at;
  return recomputed.map((vulnerability) => {
    if (vulnerability.presence.length === 0) return vulnerability;
    const former = [
      ...new Set(aliasKeys(vulnerability).flatMap((key) => storedByAlias.get(key) ?? [])),
    ].flatMap(({ presence }) => presence);
    const presence = vulnerability.presence.map((interval) => {
      const shared = former.flatMap((one) => {
        const first = firstShared(one, interval, sbomVersions);
        return first ? [afterDelete(one, firstIn(one, sbomVersions) ?? first)] : [];
      });
      const detected_at =
        shared.length > 0 ? earliest(shared) : startOf(interval, sbomVersions, change);
      return withDetectedAt(interval, detected_at);
    });
    return { ...vulnerability, presence };
  });
}

/** DT1 The time of an interval that no list showed before. */
function startOf(
  { from }: PresenceInterval,
  sbomVersions: readonly SbomVersion[],
  change: FindingsChange | undefined,
): string | undefined {
  const first = versionFrom(sbomVersions, from);
  if (!first?.scanned_at) return undefined;
  return change && !change.added.has(first.sbom_id)
    ? later(first.scanned_at, change.at)
    : first.scanned_at;
}

/** The stored vulnerabilities that some SBOM contains, by package and alias (DT5). */
function byAlias(stored: readonly TrackedVulnerability[]): Map<string, TrackedVulnerability[]> {
  const found = new Map<string, TrackedVulnerability[]>();
  for (const vulnerability of stored) {
    if (vulnerability.presence.length === 0) continue;
    for (const key of aliasKeys(vulnerability)) addTo(found, key, vulnerability);
  }
  return found;
}

function aliasKeys({ package_key, identity }: TrackedVulnerability): string[] {
  return identity.map((alias) => `${package_key}\n${alias}`);
}

/** The first existing version of an interval. */
function firstIn(
  { from, to }: PresenceInterval,
  sbomVersions: readonly SbomVersion[],
): SbomVersion | undefined {
  const first = versionFrom(sbomVersions, from);
  return first && (to === null || first.seq <= to) ? first : undefined;
}

/** The first existing version of both intervals. */
function firstShared(
  a: PresenceInterval,
  b: PresenceInterval,
  sbomVersions: readonly SbomVersion[],
): SbomVersion | undefined {
  const ends = [a.to, b.to].flatMap((to) => to ?? []);
  const to = ends.length > 0 ? Math.min(...ends) : null;
  return firstIn({ from: Math.max(a.from, b.from), to }, sbomVersions);
}

function later(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a;
  return a > b ? a : b;
}
