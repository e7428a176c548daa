import { differingPackages } from './findings-hash';
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
