import { createAliasGroups } from '@bomtrail/osv';
import { pagesOf } from '../domain/pages';
import type { AdvisoryNames } from './store/advisory-documents';
import { recordGroupChanges, type RecordChangesDeps } from './record-changes';

/** The revision of a load. */
interface At {
  revision: number;
  /** False for the first load: nothing was assessed before. */
  hasAssessments: boolean;
  signal: AbortSignal;
  /** Whether all groups are derived again, after a change of the rules. */
  isAnew?: boolean;
}

interface Move {
  id: string;
  from: string;
  to: string;
}

const perWrite = 1000;
const perRead = 1000;
/** Above this number of names all advisories are read instead. */
const maxTouched = 20_000;

/**
 * Derives the alias groups of the advisories that the revision changed and moves advisories between
 * groups. Equivalent to deriving all groups again.
 *
 * @returns the number of moved advisories
 */
export async function regroupAdvisories(deps: RecordChangesDeps, at: At): Promise<number> {
  const touched = at.isAnew ? null : await touchedNames(deps, at.revision);
  return touched ? regroupTouched(deps, touched, at) : regroupAll(deps, at);
}

/**
 * The old and new ids and aliases of the changed advisories; every group that is merged or split
 * has one of them. Null when there are too many.
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

/** Follows the aliases from the changed names through their groups. */
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

/** Reads all advisories twice; only names of those with aliases are in memory. */
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
