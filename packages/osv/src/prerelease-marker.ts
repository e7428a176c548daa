import type { OsvRange } from './record';

const MARKER = '-0';

/**
 * Rule M44: `introduced: 1.24.0-0` in Go's vulnerability database, and so in Bitnami's records made of
 * it, stands before every prerelease of 1.24.0. To Bitnami `-0` is a build of 1.24.0 itself: a
 * prerelease, which comes before that, would be left out. Where the version is one, its window begins
 * with it.
 *
 * @param ecosystem an OSV ecosystem without suffix
 */
export function withPrereleases(range: OsvRange, version: string, ecosystem: string): OsvRange {
  if (ecosystem !== 'Bitnami') return range;
  const includes = ({ introduced = '' }: { introduced?: string }): boolean =>
    introduced.endsWith(MARKER) && version.startsWith(introduced.slice(0, -1));
  if (!range.events.some(includes)) return range;
  const events = range.events.map((event) =>
    includes(event) ? { ...event, introduced: version } : event,
  );
  return { ...range, events };
}
