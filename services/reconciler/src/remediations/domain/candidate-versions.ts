import { compareIn } from '@bomtrail/osv';
import { isMajorStep, isPrerelease } from './version-steps';
import { compareValues } from '../../tracking/domain/compare-values';

/** Candidates of one version in use, lowest first. */
export interface Candidates {
  versions: string[];
  /** Prereleases that are not offered, lowest first. */
  prereleases: string[];
}

/** Candidates judged within the release line, and as many beyond it. */
const perLine = 12;
/** Of them, those below the version from which on everything should be closed. */
const below = 4;

/**
 * The versions to which a version may be raised.
 *
 * - RM1: candidates are the fixed versions of the package's open vulnerabilities that follow the version in
 *   the ecosystem's own order. Prereleases count only for a prerelease. Of many, those around the lowest
 *   version that is a fix for every vulnerability are taken: at most 12 in the release line and 12 beyond.
 *
 * @param fixes the fixed versions of each vulnerability of this version
 */
export function candidatesOf(
  { ecosystem, version }: { ecosystem: string; version: string },
  fixes: readonly (readonly string[])[],
): Candidates {
  const compare = compareIn(ecosystem);
  if (!compare) return { versions: [], prereleases: [] };
  const order = (a: string, b: string): number => compare(a, b) || compareValues(a, b);
  const above = fixes.map((list) => list.filter((fix) => compare(fix, version) === 1).sort(order));
  const all = [...new Set(above.flat())].sort(order);
  const distinct = all.filter((one, i) => i === 0 || compare(all[i - 1] ?? '', one) !== 0);
  const takesAll = isPrerelease(ecosystem, version);
  const isOffered = (one: string): boolean => takesAll || !isPrerelease(ecosystem, one);
  const isMajor = (one: string): boolean => isMajorStep(ecosystem, version, one);
  const offered = distinct.filter(isOffered);
  const lists = above.map((list) => list.filter(isOffered));
  const inLine = around(
    offered.filter((one) => !isMajor(one)),
    lists.map((list) => list.filter((one) => !isMajor(one))),
    order,
  );
  const beyond = around(offered.filter(isMajor), lists, order);
  return {
    versions: [...inLine, ...beyond].sort(order),
    prereleases: distinct.filter((one) => !isOffered(one)),
  };
}

/** The candidates around the lowest one that is a fix for every vulnerability that has one. */
function around(
  candidates: readonly string[],
  lists: readonly (readonly string[])[],
  order: (a: string, b: string) => number,
): readonly string[] {
  if (candidates.length <= perLine) return candidates;
  const lowest = lists.flatMap((list) => list.slice(0, 1)).sort(order);
  const enough = lowest.at(-1);
  const at = candidates.findIndex((one) => enough !== undefined && order(one, enough) >= 0);
  const middle = at < 0 ? candidates.length - 1 : at;
  const from = Math.max(0, Math.min(middle - below, candidates.length - perLine));
  return candidates.slice(from, from + perLine);
}
