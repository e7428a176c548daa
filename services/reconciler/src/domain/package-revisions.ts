/** Packages whose rows stand on an advisory revision that the others need not stand on. */
export interface PackageRevisions {
  revision: number;
  packages: string[];
}

/** On what the rows of a line stand, as its ledger says it. */
export interface DataStatus {
  /** All of them, at least. */
  revision: number;
  package_revisions?: PackageRevisions;
}

/** Do the rows of these packages (all where none are named) stand on the revision at least? */
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
 * What is known after the rows of some packages were brought to a revision: those of other packages that
 * stood on the same one still do. Where that would be more than `limit`, only the new ones are kept.
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
