import type { AdvisoryData } from '@bomtrail/messages';

/**
 * Why a part of a feed must not replace what is held, null when it may. A new file that has fewer
 * than half of the records held is taken for a broken one: it never empties a result.
 *
 * @param counts `found` records in the new file, `held` records of the same part
 */
export function refusalOf(counts: { found: number; held: number }): string | null {
  const { found, held } = counts;
  if (found === 0) return 'the file holds no records';
  if (found * 2 < held)
    return `the file holds ${found} records, fewer than half of the ${held} that are held`;
  return null;
}

/**
 * On what the answers stand after a load. They stand on the feed once every part that it listed has
 * been loaded; a feed that fails later keeps its data and this word.
 */
export function dataAfterLoad(
  before: AdvisoryData,
  load: { isStarter: boolean; parts: readonly { loaded: boolean }[] },
): AdvisoryData {
  if (before === 'feed') return 'feed';
  const complete = load.parts.length > 0 && load.parts.every(({ loaded }) => loaded);
  if (load.isStarter) return complete ? 'starter' : before;
  return complete ? 'feed' : before;
}
