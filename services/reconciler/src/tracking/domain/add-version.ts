import { insertVersion, lateVersion } from './insert-version';
import type { PackageRevisions } from './package-revisions';
import { append, type Facts } from './reconcile';
import type { Observation, SbomVersion, TrackedVulnerability } from './types';

/** What the vulnerabilities of a service are based on. */
export interface Basis {
  /** The newest SBOM version. */
  head: SbomVersion | null;
  /** The minimum advisory revision of all vulnerabilities; absent: there are none. */
  revision?: number | undefined;
  /** The maximum advisory revision of any vulnerability; absent: unknown. */
  newest?: number | undefined;
  packageRevisions?: PackageRevisions | undefined;
  /** Hash of the findings with which another SBOM changes nothing (R16); null: unknown. */
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
  findingsHash(): string;
}

/** Whether another SBOM with this scan changes no vulnerability: its findings are those of the newest SBOM (R16). */
export function isUnchanged(service: Basis, sbomVersion: SbomVersion, scan: Scan): boolean {
  const { head, findingsHash } = service;
  return head !== null && sbomVersion.seq > head.seq && findingsHash === scan.findingsHash();
}

/**
 * Adds an SBOM version by its own scan alone: appends it, or inserts it before later ones.
 *
 * @param seqs sequence numbers of the versions around it, sorted; not needed if it is the newest
 * @returns null if identities were reshaped, so that only `recompute` is exact
 */
export function addVersion(
  service: TrackedService,
  added: { sbomVersion: SbomVersion; scan: Scan; seqs: readonly number[] },
  facts: Omit<Facts, 'vulnerabilities' | 'observations'>,
): TrackedService | null {
  const { head, vulnerabilities } = service;
  const { sbomVersion, scan, seqs } = added;
  const basis = basisAfter(service, sbomVersion, scan);
  if (isUnchanged(service, sbomVersion, scan)) return { ...basis, vulnerabilities };
  const observations = new Map([[sbomVersion.digest, scan.observations]]);
  const all = { ...facts, vulnerabilities, observations };
  if (head === null || sbomVersion.seq > head.seq) {
    const appended = append(all, head, sbomVersion);
    return appended && { ...basis, vulnerabilities: appended.vulnerabilities };
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
