import { differingPackages } from './findings-hash';
import type { PackageRevisions } from './package-revisions';
import { append, type Facts, type ServiceState, snapshotsOf } from './reconcile';
import type {
  Observation,
  PresenceInterval,
  SbomVersion,
  Snapshot,
  TrackedVulnerability,
} from './types';
import { newInterval } from './detected';
import { identify, uniteGroups } from './identify';
import { assignStatus } from './assign-status';
import { includesSeq } from './presence';

/** What the vulnerabilities of a service are based on. */
export interface Basis {
  /** The newest SBOM version. */
  head: SbomVersion | null;
  /** The minimum advisory revision of all vulnerabilities; absent: there are none. */
  revision?: number | undefined;
  /** The maximum advisory revision of any vulnerability; absent: unknown. */
  newest?: number | undefined;
  packageRevisions?: PackageRevisions | undefined;
  /** Hash of the findings of the newest SBOM, if another SBOM with them changes nothing (R16); null: unknown. */
  findingsHash: string | null;
}

/** A service in memory. */
export interface TrackedService extends Basis {
  /** All, or those of some packages. */
  vulnerabilities: readonly TrackedVulnerability[];
}

/** A scan of a component set. */
export interface Scan {
  observations: readonly Observation[];
  /** The advisory revision of the observations. */
  revision: number;
  /** `findingsHashOf` the observations. */
  findingsHash(): string;
}

/**
 * R16 The packages whose vulnerabilities another SBOM with this scan may change: those whose findings differ from those
 * of the newest SBOM, as long as the vulnerabilities result from appending that one and the acceptances are the same.
 *
 * @returns undefined: any
 */
export function changedPackages(
  { head, findingsHash }: Basis,
  sbomVersion: SbomVersion,
  scan: Scan,
): string[] | undefined {
  if (head === null || sbomVersion.seq <= head.seq || findingsHash === null) return undefined;
  return differingPackages(findingsHash, scan.findingsHash());
}

/**
 * Adds an SBOM version by its own scan alone: appends it, or inserts it before later ones.
 *
 * @param service its vulnerabilities must include those of `changedPackages`
 * @param seqs sequence numbers of the versions around it, sorted; not needed if it is the newest
 * @returns null if identities were reshaped, so that only `recompute` is exact
 */
export function addVersion(
  service: TrackedService,
  added: { sbomVersion: SbomVersion; scan: Scan; seqs: readonly number[] },
  facts: Omit<Facts, 'vulnerabilities' | 'observations'>,
): TrackedService | null {
  const { head } = service;
  const { sbomVersion, scan, seqs } = added;
  const basis = basisAfter(service, sbomVersion, scan);
  const changed = changedPackages(service, sbomVersion, scan);
  if (changed?.length === 0) return { ...basis, vulnerabilities: service.vulnerabilities };
  const concerned = changed && new Set(changed);
  const isConcerned = ({ package_key }: { package_key: string }): boolean =>
    concerned === undefined || concerned.has(package_key);
  const vulnerabilities = service.vulnerabilities.filter(isConcerned);
  const observations = new Map([[sbomVersion.digest, scan.observations.filter(isConcerned)]]);
  const all = { ...facts, vulnerabilities, observations };
  if (head === null || sbomVersion.seq > head.seq) {
    const appended = append(all, head, sbomVersion);
    const others = service.vulnerabilities.filter((one) => !isConcerned(one));
    return appended && { ...basis, vulnerabilities: [...others, ...appended.vulnerabilities] };
  }
  const late = lateVersion(sbomVersion, seqs);
  const inserted = late && insertVersion(all, head, late);
  return inserted && { ...basis, vulnerabilities: inserted.vulnerabilities };
}

function basisAfter(service: Basis, sbomVersion: SbomVersion, scan: Scan): Basis {
  const { head, revision, newest, packageRevisions, findingsHash } = service;
  const isNext = head === null || sbomVersion.seq > head.seq;
  const isLater = packageRevisions && scan.revision >= packageRevisions.revision;
  return {
    head: isNext ? sbomVersion : head,
    revision: Math.min(revision ?? scan.revision, scan.revision),
    newest: Math.max(newest ?? 0, scan.revision),
    packageRevisions: isLater ? packageRevisions : undefined,
    findingsHash: isNext ? scan.findingsHash() : findingsHash,
  };
}

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
