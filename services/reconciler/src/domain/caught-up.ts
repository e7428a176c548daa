/** Packages whose rows stand on an advisory revision that the others need not stand on. */
export interface CaughtUp {
  revision: number;
  packages: string[];
}

/** On what the rows of a line stand, as its ledger says it. */
export interface DataStatus {
  /** All of them, at least. */
  revision: number;
  caught_up?: CaughtUp;
}

/** Do the rows of these packages (all where none are named) stand on the revision at least? */
export function standsOn(
  { revision, caught_up }: DataStatus,
  asked: { revision: number; packages?: readonly string[] | undefined },
): boolean {
  if (asked.revision <= revision) return true;
  if (!caught_up || !asked.packages || asked.revision > caught_up.revision) return false;
  const known = new Set(caught_up.packages);
  return asked.packages.every((one) => known.has(one));
}

/**
 * What is known after the rows of some packages were brought to a revision: those of other packages that
 * stood on the same one still do. Where that would be more than `limit`, only the new ones are kept.
 */
export function alsoCaughtUp(before: CaughtUp | undefined, now: CaughtUp, limit: number): CaughtUp {
  if (before?.revision !== now.revision) return now;
  const packages = [...new Set([...before.packages, ...now.packages])].sort();
  return packages.length > limit ? now : { revision: now.revision, packages };
}
