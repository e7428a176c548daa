import { assignStatus } from './assign-status';
import { currentAliases } from './vulnerability-names';
import { afterDelete, earliest, withDetectedAt } from './detected';
import { identify, uniteGroups } from './identify';
import { snapshotsOf, type Facts, type ServiceState } from './reconcile';
import type { SbomVersion, TrackedVulnerability, PresenceInterval } from './types';
import { indexFrom, clearPresence } from './presence';

/** A service without some SBOM versions, as far as it follows from its vulnerabilities alone. */
export interface RemovalResult {
  head: SbomVersion | null;
  vulnerabilities: TrackedVulnerability[];
  /**
   * By vulnerability id: the last remaining version that contains it, if its snapshot is still from a removed
   * one.
   */
  staleSnapshots: ReadonlyMap<string, SbomVersion>;
}

/**
 * R14 Removes SBOM versions without reading scans: presence intervals tell which remaining versions contain a
 * vulnerability. Intervals shrink to the remaining versions, are joined if none is left between them, and
 * vanish if none is left in them. First and last seen follow.
 *
 * @param sbomVersions the versions before the removal, in order
 * @param removed ids of the SBOMs to remove
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
    if (!first || !last) return clearPresence(vulnerability);
    if (!last.expired && last.seq !== lastSeqContaining(vulnerability.presence, sbomVersions))
      staleSnapshots.set(vulnerability.id, last);
    return {
      ...vulnerability,
      presence: ranges.map((range) => {
        const to = range.last === left.length - 1 ? null : (left[range.last]?.seq ?? 0);
        return withDetectedAt({ from: left[range.first]?.seq ?? 0, to }, range.detected_at);
      }),
      first_seen_at: first.created_at,
      last_seen: last === head ? null : { sbom_id: last.sbom_id, at: last.created_at },
    };
  });
  return { head, vulnerabilities: result, staleSnapshots };
}

/**
 * R15 Refreshes the snapshots after a removal from the scans of the versions that contain the vulnerabilities
 * last. Null if only `recompute` is exact: the scans are not those that the vulnerabilities are based on (a
 * pending advisory change), or a removed version may have united aliases.
 *
 * @param facts `observations` has the scans of `result.staleSnapshots`; `vulnerabilities` is ignored
 */
export function refreshSnapshots(facts: Facts, result: RemovalResult): ServiceState | null {
  if (result.vulnerabilities.some(hasFormerAliases)) return null;
  const digests = new Set([...result.staleSnapshots.values()].map(({ digest }) => digest));
  const observed = [...digests].flatMap((digest) => facts.observations.get(digest) ?? []);
  const identified = identify(result.vulnerabilities, uniteGroups(observed), facts.newId);
  const isChanged = identified.vulnerabilities.some(
    (vulnerability, index) => vulnerability !== result.vulnerabilities[index],
  );
  if (identified.reshaped || isChanged) return null;
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
  return {
    head: result.head,
    vulnerabilities: assignStatus(vulnerabilities, facts.acceptances, facts),
  };
}

/**
 * Whether a vulnerability has aliases that its snapshot lacks. Two versions may know its aliases differently
 * while an advisory change is applied to one of them only, and it may be split without one of them.
 */
function hasFormerAliases(vulnerability: TrackedVulnerability): boolean {
  return (
    vulnerability.snapshot !== null &&
    vulnerability.identity.join() !== currentAliases(vulnerability).sort().join()
  );
}

interface Range {
  first: number;
  last: number;
  detected_at: string | undefined;
}

/** Ranges of indexes that the intervals contain, in order; adjacent ranges are joined. */
function rangesOf(
  presence: readonly PresenceInterval[],
  sbomVersions: readonly SbomVersion[],
): Range[] {
  const ranges: Range[] = [];
  for (const interval of presence) {
    const { from, to } = interval;
    const first = indexFrom(sbomVersions, from);
    const last = (to === null ? sbomVersions.length : indexFrom(sbomVersions, to + 1)) - 1;
    const firstLeft = sbomVersions[first];
    if (first > last || !firstLeft) continue;
    const detected_at = afterDelete(interval, firstLeft);
    const before = ranges.at(-1);
    if (before && before.last === first - 1) {
      before.last = last;
      before.detected_at = earliest([before.detected_at, detected_at]);
    } else ranges.push({ first, last, detected_at });
  }
  return ranges;
}

/** Sequence number of the last version that contains the vulnerability. */
function lastSeqContaining(
  presence: readonly PresenceInterval[],
  sbomVersions: readonly SbomVersion[],
): number | undefined {
  return presence.at(-1)?.to ?? sbomVersions.at(-1)?.seq;
}
