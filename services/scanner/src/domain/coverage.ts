import type { Coverage } from '@bomtrail/messages';
import type { SetCounts } from './component-set';

/** Components of an ecosystem for which no advisories are held: nobody asked, so nobody may call them clean. */
export const notLoaded = 'feed_not_loaded';

/**
 * How much of a set could be judged by the advisories that are held now. Components of an ecosystem
 * whose advisories are not loaded count as undetermined, not as evaluated.
 */
export function coverageOf(counts: SetCounts, loaded: ReadonlySet<string>): Coverage {
  let evaluated = 0;
  let missing = 0;
  for (const [ecosystem, count] of Object.entries(counts.evaluated)) {
    if (loaded.has(ecosystem)) evaluated += count;
    else missing += count;
  }
  const undetermined = { ...counts.undetermined };
  if (missing > 0) undetermined[notLoaded] = missing;
  return { components: counts.components, evaluated, undetermined };
}

/** Ecosystems of which some part of a feed, or of the starter set, has been loaded. */
export function loadedEcosystems(
  parts: readonly { covers: readonly string[]; fingerprint: string | null }[],
): Set<string> {
  return new Set(parts.flatMap((part) => (part.fingerprint === null ? [] : part.covers)));
}
