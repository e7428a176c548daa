/** Packages whose vulnerabilities are based on a later advisory revision than the rest. */
export interface PackageRevisions {
  revision: number;
  packages: string[];
}

/** The advisory revisions of a service's vulnerabilities. */
export interface DataStatus {
  /** The minimum over all vulnerabilities. */
  revision: number;
  package_revisions?: PackageRevisions;
}

/** Whether the vulnerabilities of these packages (default: all) are based on at least this revision. */
export function isBasedOn(
  { revision, package_revisions }: DataStatus,
  target: { revision: number; packages?: readonly string[] | undefined },
): boolean {
  if (target.revision <= revision) return true;
  if (!package_revisions || !target.packages || target.revision > package_revisions.revision)
    return false;
  const known = new Set(package_revisions.packages);
  return target.packages.every((one) => known.has(one));
}

/**
 * Adds packages that were brought to a revision. Keeps the former ones if they are at the same revision and
 * the result has at most `limit` packages.
 */
export function withPackageRevisions(
  before: PackageRevisions | undefined,
  now: PackageRevisions,
  limit: number,
): PackageRevisions {
  if (before?.revision !== now.revision) return now;
  const packages = [...new Set([...before.packages, ...now.packages])].sort();
  return packages.length > limit ? now : { revision: now.revision, packages };
}
