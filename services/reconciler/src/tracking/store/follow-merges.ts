import type { TrackedVulnerabilityDocument } from './documents';

/**
 * Reads what ids stand for, one query for each step: a merged vulnerability stands for the one that it was merged into.
 *
 * @param read reads vulnerabilities by id
 * @returns finds it by one of the ids; undefined: it does not exist
 */
export async function followMerges<
  Read extends Pick<TrackedVulnerabilityDocument, '_id' | 'merged_into'>,
>(
  ids: readonly string[],
  read: (ids: string[]) => Promise<Read[]>,
): Promise<(id: string) => Read | undefined> {
  const known = new Map<string, Read>();
  for (let wanted = [...new Set(ids)]; wanted.length > 0;) {
    const found = await read(wanted);
    for (const one of found) known.set(one._id, one);
    const next = found.flatMap(({ merged_into }) => merged_into ?? []);
    wanted = next.filter((id) => !known.has(id));
  }
  return function endOf(id: string): Read | undefined {
    const one = known.get(id);
    return one?.merged_into === undefined ? one : endOf(one.merged_into);
  };
}
