import type { StampedCache } from '../cache/stamped-cache';
import type { StoredAdvisory } from '../store/advisory-documents';
import type { AdvisoryStore } from '../store/advisory-store';

export interface VisitAdvisoriesDeps {
  advisories: Pick<AdvisoryStore, 'visitByPackages'>;
  /** By package, as of the revision of the stamp. */
  advisoryCache: StampedCache<PackageAdvisories>;
}

/** Every advisory of a package. */
export interface PackageAdvisories {
  list: StoredAdvisory[];
  /** Characters of their texts, and one. */
  size: number;
}

/** A kernel has thousands of large ones: those are read again each time. */
const maxCachedPerPackage = 256 * 1024;

/**
 * Hands over every advisory that names one of the packages, as of a revision that is in force, each
 * once. Those of packages that were asked for at the same stamp come from memory: fleets bring new
 * versions of the same packages again and again.
 */
export async function visitAdvisories(
  { advisories, advisoryCache }: VisitAdvisoriesDeps,
  packages: Iterable<string>,
  at: { stamp: number; revision: number; visit: (advisory: StoredAdvisory) => void },
): Promise<void> {
  const seen = new Set<string>();
  const visitOnce = (advisory: StoredAdvisory): void => {
    if (!seen.has(advisory.record.id)) at.visit(advisory);
    seen.add(advisory.record.id);
  };
  const missing = new Map<string, PackageAdvisories>();
  for (const key of packages) {
    const known = advisoryCache.get(at.stamp, key);
    if (known) known.list.forEach(visitOnce);
    else missing.set(key, { list: [], size: 1 });
  }
  if (missing.size === 0) return;
  await advisories.visitByPackages([...missing.keys()], at.revision, (advisory, textLength) => {
    visitOnce(advisory);
    for (const key of advisory.affects) addTo(missing.get(key), advisory, textLength);
  });
  for (const [key, read] of missing)
    if (read.size <= maxCachedPerPackage) advisoryCache.set(at.stamp, key, read);
}

function addTo(
  read: PackageAdvisories | undefined,
  advisory: StoredAdvisory,
  textLength: number,
): void {
  if (!read) return;
  read.size += textLength;
  if (read.size <= maxCachedPerPackage) read.list.push(advisory);
  else read.list = [];
}
