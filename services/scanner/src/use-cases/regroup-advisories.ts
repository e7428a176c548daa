import { aliasGroups } from '@bomtrail/osv';
import { pagesOf } from '../domain/pages';
import { markGroups, type MarkChangesDeps } from './mark-changes';

const perWrite = 1000;

/**
 * Draws the alias groups over all stored advisories anew and moves those whose group changed.
 *
 * @param at.marked false for the first advisories of all: nothing was judged by them yet
 * @returns the number of advisories that moved
 */
export async function regroupAdvisories(
  deps: MarkChangesDeps,
  at: { revision: number; marked: boolean; signal: AbortSignal },
): Promise<number> {
  const names: { id: string; aliases: string[]; group: string }[] = [];
  for await (const { _id, aliases, group } of deps.advisories.listNames())
    names.push({ id: _id, aliases, group });
  const groups = aliasGroups(names);
  const moved = names.filter(({ id, group }) => groups.get(id) !== group);
  for (const page of pagesOf(moved, { items: perWrite })) {
    at.signal.throwIfAborted();
    if (at.marked)
      await markGroups(
        deps,
        page.map(({ group }) => group),
        at.revision,
      );
    const next = page.map(({ id }) => ({ id, group: groups.get(id) ?? id }));
    await deps.advisories.setGroups(next, at.revision);
  }
  return moved.length;
}
