import { currentAliases, assignStatus } from './assign-status';
import { identify } from './identify';
import { snapshotsOf, type Facts, type ServiceState } from './reconcile';
import type { SbomVersion, TrackedVulnerability, PresenceInterval } from './types';
import { uniteGroups } from './unite-groups';

/** A line without some entries of its log, as far as it follows from the rows alone. */
export interface RemovalResult {
  head: SbomVersion | null;
  vulnerabilities: TrackedVulnerability[];
  /** By row id: the entry that holds the row last now. What the row shows is still that of a later one. */
  staleSnapshots: ReadonlyMap<string, SbomVersion>;
}

/**
 * R14 The presence of a row in the entries that are left is what its runs say of them, so that taking
 * entries out of the log asks no scan whether it holds the row: runs shrink to the entries that are left,
 * those between which none is left become one, and one without any goes. First and last seen follow.
 *
 * @param log the entries as they were, in order; the rows are right for it
 * @param removed ids of the SBOMs that go
 */
export function removeVersions(
  vulnerabilities: readonly TrackedVulnerability[],
  sbomVersions: readonly SbomVersion[],
  removed: ReadonlySet<string>,
): RemovalResult {
  const left = sbomVersions.filter(({ sbom_id }) => !removed.has(sbom_id));
  const head = left.at(-1) ?? null;
  const staleSnapshots = new Map<string, SbomVersion>();
  const result = vulnerabilities.map((vulnerability): TrackedVulnerability => {
    if (vulnerability.presence.length === 0) return vulnerability;
    const ranges = rangesOf(vulnerability.presence, left);
    const first = left[ranges[0]?.first ?? -1];
    const last = left[ranges.at(-1)?.last ?? -1];
    if (!first || !last) {
      return {
        ...vulnerability,
        presence: [],
        first_seen_at: null,
        last_seen: null,
        snapshot: null,
      };
    }
    if (last.seq !== lastSeqContaining(vulnerability.presence, sbomVersions))
      staleSnapshots.set(vulnerability.id, last);
    return {
      ...vulnerability,
      presence: ranges.map((range) => ({
        from: left[range.first]?.seq ?? 0,
        to: range.last === left.length - 1 ? null : (left[range.last]?.seq ?? 0),
      })),
      first_seen_at: first.created_at,
      last_seen: last === head ? null : { sbom_id: last.sbom_id, at: last.created_at },
    };
  });
  return { head, vulnerabilities: result, staleSnapshots };
}

/**
 * R15 The rows of a cut with what they show now, taken from the scans of the entries that hold them
 * last. Null where these scans are not those that the rows stand on (an advisory change that the rows do
 * not show yet), or where a row may have been united by an entry that went: then only `recompute` is exact.
 *
 * @param facts `observations` has the scans of `result.staleSnapshots`; its rows are not looked at
 */
export function refreshSnapshots(facts: Facts, result: RemovalResult): ServiceState | null {
  if (result.vulnerabilities.some(hasFormerAliases)) return null;
  const digests = new Set([...result.staleSnapshots.values()].map(({ digest }) => digest));
  const observed = [...digests].flatMap((digest) => facts.observations.get(digest) ?? []);
  const identified = identify(result.vulnerabilities, uniteGroups(observed), facts.newId);
  if (identified.reshaped || identified.vulnerabilities.length > result.vulnerabilities.length)
    return null;
  if (
    identified.vulnerabilities.some(
      (vulnerability, index) => vulnerability !== result.vulnerabilities[index],
    )
  )
    return null;
  const snapshots = new Map(
    [...digests].map((digest) => [
      digest,
      snapshotsOf(facts, digest, identified.vulnerabilityIdOf),
    ]),
  );
  const vulnerabilities: TrackedVulnerability[] = [];
  for (const vulnerability of result.vulnerabilities) {
    const sbomVersion = result.staleSnapshots.get(vulnerability.id);
    const snapshot = sbomVersion
      ? snapshots.get(sbomVersion.digest)?.get(vulnerability.id)
      : vulnerability.snapshot;
    if (snapshot === undefined) return null;
    vulnerabilities.push({ ...vulnerability, snapshot });
  }
  const at = { service_id: facts.service_id, now: facts.now };
  return {
    head: result.head,
    vulnerabilities: assignStatus(vulnerabilities, facts.acceptances, at),
  };
}

/**
 * Does a row stand for aliases that it does not show? Two entries may know its aliases differently, while
 * an advisory change is only in force for one of them, and it may come apart without one of the two.
 */
function hasFormerAliases(vulnerability: TrackedVulnerability): boolean {
  return (
    vulnerability.snapshot !== null &&
    vulnerability.identity.join() !== currentAliases(vulnerability).sort().join()
  );
}

/** Stretches of places in the log that runs cover, in order; those that touch are one. */
function rangesOf(
  presence: readonly PresenceInterval[],
  sbomVersions: readonly SbomVersion[],
): { first: number; last: number }[] {
  const ranges: { first: number; last: number }[] = [];
  for (const { from, to } of presence) {
    const first = countBefore(sbomVersions, from);
    const last = (to === null ? sbomVersions.length : countBefore(sbomVersions, to + 1)) - 1;
    if (first > last) continue;
    const before = ranges.at(-1);
    if (before && before.last === first - 1) before.last = last;
    else ranges.push({ first, last });
  }
  return ranges;
}

/** The sequence number of the entry that held the row last. */
function lastSeqContaining(
  presence: readonly PresenceInterval[],
  sbomVersions: readonly SbomVersion[],
): number | undefined {
  return presence.at(-1)?.to ?? sbomVersions.at(-1)?.seq;
}

/** How many entries of an ordered log come before a sequence number. */
function countBefore(sbomVersions: readonly SbomVersion[], seq: number): number {
  let [low, high] = [0, sbomVersions.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sbomVersions[middle]?.seq ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
