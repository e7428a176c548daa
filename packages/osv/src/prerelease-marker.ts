import type { OsvRange } from './record';

const MARKER = '-0';

/**
 * Rule M44: `introduced: 1.24.0-0` in Go's vulnerability database, and in Bitnami's records derived
 * from it, precedes every prerelease of 1.24.0. Bitnami's order reads `-0` as a build of 1.24.0,
 * which follows the prereleases; for a prerelease the window therefore begins with it.
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
