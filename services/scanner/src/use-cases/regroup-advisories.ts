import { createAliasGroups } from '@bomtrail/osv';
import { pagesOf } from '../domain/pages';
import type { AdvisoryNames } from '../store/advisory-documents';
import { recordGroupChanges, type RecordChangesDeps } from './record-changes';

/** What a load comes into force with, and whether anything was judged before it. */
interface At {
  revision: number;
  /** False for the first advisories of all: nothing was judged by them yet. */
  hasAssessments: boolean;
  signal: AbortSignal;
  /** Whether all groups are to be drawn anew: by other rules. */
  isAnew?: boolean;
}

interface Move {
  id: string;
  from: string;
  to: string;
}

const perWrite = 1000;
const perRead = 1000;
/** Above so many names of changed advisories one walk through all of them costs less. */
const maxTouched = 20_000;

/**
 * Draws the alias groups of what the revision changed, and moves the advisories whose group is
 * another one now. The result is that of drawing the groups of all advisories anew.
 *
 * @returns the number of advisories that moved
 */
export async function regroupAdvisories(deps: RecordChangesDeps, at: At): Promise<number> {
  const touched = at.isAnew ? null : await touchedNames(deps, at.revision);
  return touched ? regroupTouched(deps, touched, at) : regroupAll(deps, at);
}

/**
 * The ids and aliases, old and new, of what the revision changes: every group that it joins or parts
 * has one of them. Null when they are very many.
 */
async function touchedNames(
  deps: Pick<RecordChangesDeps, 'advisories'>,
  revision: number,
): Promise<Set<string> | null> {
  const touched = new Set<string>();
  const add = (names: readonly string[]): boolean => {
    for (const name of names) touched.add(name);
    return touched.size > maxTouched;
  };
  for await (const { _id, aliases } of deps.advisories.listChangedAt(revision))
    if (add([_id, ...aliases])) return null;
  for await (const { advisory, aliases } of deps.advisories.listSuperseded(revision))
    if (add([advisory, ...aliases])) return null;
  return touched;
}

/** Follows the aliases from the touched names to the ends of their groups, and no further. */
async function regroupTouched(
  deps: RecordChangesDeps,
  touched: ReadonlySet<string>,
  at: At,
): Promise<number> {
  const members = new Map<string, AdvisoryNames>();
  const reached = new Set(touched);
  let frontier = [...touched];
  while (frontier.length > 0) {
    const next = new Set<string>();
    for (const page of pagesOf(frontier, { items: perRead })) {
      at.signal.throwIfAborted();
      for (const member of await deps.advisories.findLinkedTo(page)) {
        if (members.has(member.id)) continue;
        members.set(member.id, member);
        for (const name of [member.id, ...member.aliases]) if (!reached.has(name)) next.add(name);
      }
    }
    for (const name of next) reached.add(name);
    frontier = [...next];
  }
  const drawn = createAliasGroups();
  for (const member of members.values()) drawn.add(member);
  const moves: Move[] = [];
  for (const { id, group } of members.values()) {
    const to = drawn.groupOf(id);
    if (to !== group) moves.push({ id, from: group, to });
  }
  for (const page of pagesOf(moves, { items: perWrite })) await move(deps, page, at);
  return moves.length;
}

/** Two walks through all advisories; only the ids of those with aliases are in memory. */
async function regroupAll(deps: RecordChangesDeps, at: At): Promise<number> {
  const drawn = createAliasGroups();
  for await (const { _id, aliases } of deps.advisories.listLinked())
    drawn.add({ id: _id, aliases });
  let moved = 0;
  let page: Move[] = [];
  const flush = async (): Promise<void> => {
    moved += page.length;
    await move(deps, page, at);
    page = [];
  };
  for await (const { _id, group } of deps.advisories.listGroups()) {
    const to = drawn.groupOf(_id);
    if (to !== group) page.push({ id: _id, from: group, to });
    if (page.length >= perWrite) await flush();
  }
  await flush();
  return moved;
}

async function move(deps: RecordChangesDeps, moves: readonly Move[], at: At): Promise<void> {
  at.signal.throwIfAborted();
  if (moves.length === 0) return;
  if (at.hasAssessments)
    await recordGroupChanges(
      deps,
      moves.map(({ from }) => from),
      at.revision,
    );
  await deps.advisories.setGroups(
    moves.map(({ id, to }) => ({ id, group: to })),
    at.revision,
  );
}
