import type { StampedCache } from '../cache/stamped-cache';
import type { StoredAdvisory } from '../feeds/store/advisory-documents';
import type { AdvisoryStore } from '../feeds/store/advisory-store';

export interface VisitAdvisoriesDeps {
  advisories: Pick<AdvisoryStore, 'visitByPackages'>;
  /** By package, as of the revision of the stamp. */
  advisoryCache: StampedCache<PackageAdvisories>;
}

/** All advisories of a package. */
export interface PackageAdvisories {
  list: StoredAdvisory[];
  /** Characters of their texts, plus one. */
  size: number;
}

/** Larger lists (a Linux kernel has thousands of advisories) are read each time. */
const maxCachedPerPackage = 256 * 1024;

/**
 * Visits each advisory of the packages once, as of a revision in force. Advisories of packages read
 * at the same stamp come from the cache.
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
