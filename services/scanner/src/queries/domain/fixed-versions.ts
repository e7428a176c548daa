import { comparerOf } from '@bomtrail/versioning';

/** Merges lists of fixed versions: distinct, ascending by the ecosystem's comparer. */
export function mergeFixedVersions(ecosystem: string, lists: readonly string[][]): string[] {
  const only = lists[0];
  if (lists.length === 1 && only) return only;
  const compare = comparerOf(ecosystem);
  const order = (a: string, b: string): number => compare?.(a, b) || (a < b ? -1 : Number(a > b));
  const sorted = [...new Set(lists.flat())].sort(order);
  return sorted.filter((version, i) => i === 0 || compare?.(sorted[i - 1] ?? '', version) !== 0);
}
