import { identify } from './identify';
import { snapshotsOf, type Facts, type ServiceState } from './reconcile';
import { assignStatus } from './assign-status';
import type { SbomVersion, TrackedVulnerability, PresenceInterval, Snapshot } from './types';
import { uniteGroups } from './unite-groups';

/** An entry whose scan ended later than that of one behind it, with its place in the log. */
export interface LateVersion {
  sbomVersion: SbomVersion;
  /** The sequence number of the entry before it; null: there is none. */
  before: number | null;
  /** That of the one behind it. */
  after: number;
}

/** The place of an entry among those with these sequence numbers, in order; null: none is behind it. */
export function lateVersion(sbomVersion: SbomVersion, seqs: readonly number[]): LateVersion | null {
  const index = seqs.findIndex((other) => other > sbomVersion.seq);
  const after = seqs[index];
  return after === undefined ? null : { sbomVersion, before: seqs[index - 1] ?? null, after };
}

/**
 * R17 What an entry that comes late changes follows from the rows and its own scan: whether its
 * neighbours hold a row is what the row's runs say. A run reaches over the entry where it holds what a
 * neighbour holds, and comes apart where it does not hold what both of them do. A row that no later
 * entry holds shows what this one says.
 *
 * @param facts its rows are right for the log without the entry
 * @returns null when identities were reshaped: then `recompute`
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
  const at = { service_id: facts.service_id, now: facts.now };
  return { head, vulnerabilities: assignStatus(vulnerabilities, facts.acceptances, at) };
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

/** The same runs where the entry changes none. */
function intervalsWith(
  presence: PresenceInterval[],
  { sbomVersion, before, after }: LateVersion,
  isContained: boolean,
): PresenceInterval[] {
  const { seq } = sbomVersion;
  const earlier = presence.find((interval) => before !== null && includesSeq(interval, before));
  const later = presence.find((interval) => includesSeq(interval, after));
  if (isContained && !earlier && !later)
    return [...presence, { from: seq, to: seq }].sort((a, b) => a.from - b.from);
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

function includesSeq({ from, to }: PresenceInterval, seq: number): boolean {
  return from <= seq && (to === null || seq <= to);
}
