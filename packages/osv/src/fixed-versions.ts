import type { PackageVersion } from './package-key';
import type { Compare } from './range';
import type { OsvAffected } from './record';
import { versionText } from './version-text';

/**
 * Returns the fixes of the entries for a package above the evaluated version, ascending and
 * distinct. A fix that the entries themselves call affected (another window begins there) is left
 * out.
 */
export function fixedVersions(
  entries: readonly OsvAffected[],
  { ecosystem, version }: PackageVersion,
  by: { compare: Compare; isAffected: (version: string) => boolean },
): string[] {
  const { compare, isAffected } = by;
  const above: string[] = [];
  for (const { ranges } of entries) {
    for (const { type, events } of ranges) {
      if (type === 'GIT') continue;
      for (const { fixed } of events) {
        if (fixed !== undefined && compare(fixed, version) === 1) above.push(fixed);
      }
    }
  }
  const sorted = [...new Set(above)].sort((a, b) => compare(a, b) || (a < b ? -1 : 1));
  return sorted
    .filter((fix, i) => i === 0 || compare(sorted[i - 1] ?? '', fix) !== 0)
    .filter((fix) => !isAffected(versionText(ecosystem, fix)));
}
