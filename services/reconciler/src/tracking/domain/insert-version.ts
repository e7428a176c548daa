import { newInterval } from './detected';
import { identify, uniteGroups } from './identify';
import { snapshotsOf, type Facts, type ServiceState } from './reconcile';
import { assignStatus } from './assign-status';
import type { SbomVersion, TrackedVulnerability, PresenceInterval, Snapshot } from './types';
import { includesSeq } from './presence';

/** An SBOM version whose scan ended after that of a later version. */
export interface LateVersion {
  sbomVersion: SbomVersion;
  /** Sequence number of the version before it; null if there is none. */
  before: number | null;
  /** Sequence number of the version after it. */
  after: number;
}

/** The neighbours of a version among these sequence numbers (sorted); null if it is the newest. */
export function lateVersion(sbomVersion: SbomVersion, seqs: readonly number[]): LateVersion | null {
  const index = seqs.findIndex((other) => other > sbomVersion.seq);
  const after = seqs[index];
  return after === undefined ? null : { sbomVersion, before: seqs[index - 1] ?? null, after };
}

/**
 * R17 Inserts a late SBOM version from the vulnerabilities and its own scan: their presence intervals tell
 * what the neighbours contain. An interval extends over the version if the version and a neighbour contain
 * the vulnerability, and is split if both neighbours contain it and the version does not. A vulnerability
 * that no later version contains takes its snapshot from this one.
 *
 * @param facts its vulnerabilities match the existing versions without this one
 * @returns null if identities were reshaped: use `recompute`
 */
export function insertVersion(
  facts: Facts,
  head: SbomVersion,
  late: LateVersion,
): ServiceState | null {
  const { sbomVersion } = late;
  const observed = facts.observations.get(sbomVersion.digest) ?? [];
  const identified = identify(facts.vulnerabilities, uniteGroups(observed), facts.newId);
  if (identified.reshaped) return null;
  const snapshots = snapshotsOf(facts, sbomVersion.digest, identified.vulnerabilityIdOf);
  const vulnerabilities = identified.vulnerabilities.map((vulnerability) =>
    withVersion(vulnerability, late, snapshots.get(vulnerability.id)),
  );
  return { head, vulnerabilities: assignStatus(vulnerabilities, facts.acceptances, facts) };
}

function withVersion(
  vulnerability: TrackedVulnerability,
  late: LateVersion,
  snapshots: Snapshot | undefined,
): TrackedVulnerability {
  const { sbomVersion } = late;
  const presence = intervalsWith(vulnerability.presence, late, snapshots !== undefined);
  if (presence === vulnerability.presence) return vulnerability;
  const isFirst = presence[0]?.from === sbomVersion.seq;
  const isLast = snapshots !== undefined && presence.at(-1)?.to === sbomVersion.seq;
  return {
    ...vulnerability,
    presence,
    first_seen_at: isFirst ? sbomVersion.created_at : vulnerability.first_seen_at,
    ...(isLast && {
      last_seen: { sbom_id: sbomVersion.sbom_id, at: sbomVersion.created_at },
      snapshot: snapshots,
    }),
  };
}

/** Returns the same array if the version changes no interval. */
function intervalsWith(
  presence: PresenceInterval[],
  { sbomVersion, before, after }: LateVersion,
  isContained: boolean,
): PresenceInterval[] {
  const { seq } = sbomVersion;
  const earlier = presence.find((interval) => before !== null && includesSeq(interval, before));
  const later = presence.find((interval) => includesSeq(interval, after));
  if (isContained && !earlier && !later)
    return [...presence, newInterval(sbomVersion, seq)].sort((a, b) => a.from - b.from);
  if (isContained === (earlier !== undefined && later !== undefined)) return presence;
  return presence.flatMap((interval) => {
    if (!isContained && interval === earlier && interval === later && before !== null)
      return [
        { ...interval, to: before },
        { ...interval, from: after },
      ];
    if (isContained && interval === earlier) return [{ ...interval, to: seq }];
    if (isContained && interval === later) return [{ ...interval, from: seq }];
    return [interval];
  });
}
