import type { AlertThreshold, Severity } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/service-kit';
import type { ClientSession, Filter } from 'mongodb';
import { severitiesFrom } from '../domain/episodes';
import type { LedgerDocument, RowDocument } from './documents';
import type { ForgetStore } from './forget-store';
import { listedByLine } from './list-indexes';
import { asksForHidden } from './list-plan';

/** A page, and where the next one begins; null: there is none. */
export interface Page<Item, Place> {
  items: Item[];
  next: Place | null;
}

/** The last row of a page. */
export interface RowPlace {
  service_id: string;
  id: string;
}

/** Listed rows of these lines of a project. */
export interface EpisodeQuery {
  project_id: string;
  service_ids: readonly string[];
  threshold: AlertThreshold;
}

type LedgerVersion = Pick<LedgerDocument, '_id' | 'version' | 'traceparent'>;
type Line = Pick<LedgerDocument, '_id' | 'listed'>;

export type EpisodeStore = ReturnType<typeof createEpisodeStore>;

/** Lines and listed rows as alerts ask for them: all of a project, in pages. */
export function createEpisodeStore(
  { db, client }: Database,
  forgotten: Pick<ForgetStore, 'hidden'>,
) {
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');

  /** Reads of one moment, of a project that is not deleted; else nothing. */
  function ofProject<Item, Place>(
    project_id: string,
    read: (session: ClientSession) => Promise<Page<Item, Place>>,
  ): Promise<Page<Item, Place>> {
    return withSnapshot(client, async (session) => {
      const hidden = await forgotten.hidden({ project_id, session });
      return asksForHidden({ project_id }, hidden) ? { items: [], next: null } : read(session);
    });
  }

  /** The places of the next rows of some lines, by line and id. An index alone gives them. */
  async function placesOf(
    where: Filter<RowDocument>,
    limit: number,
    session: ClientSession,
  ): Promise<RowPlace[]> {
    const found = rows
      .find(where, { session, hint: listedByLine })
      .sort({ service_id: 1, _id: 1 })
      .limit(limit)
      .project<{ _id: string; service_id: string }>({ _id: 1, service_id: 1 });
    return (await found.toArray()).map(({ _id, service_id }) => ({ service_id, id: _id }));
  }

  async function read(ids: readonly string[], session: ClientSession): Promise<RowDocument[]> {
    if (ids.length === 0) return [];
    const found = await rows
      .find({ _id: { $in: [...ids] } }, { session, projection: { runs: 0, identity: 0 } })
      .toArray();
    const byId = new Map(found.map((row) => [row._id, row]));
    return ids.flatMap((id) => byId.get(id) ?? []);
  }

  return {
    /**
     * The lines of a project in which something was written, by id, with the versions of their ledgers.
     *
     * @param window behind `after`, at most `limit`
     */
    lines: (
      project_id: string,
      { after, limit }: { after: string | null; limit: number },
    ): Promise<Page<LedgerVersion, string>> =>
      ofProject(project_id, async (session) => {
        const where: Filter<LedgerDocument> = {
          ...{ project_id, version: { $gt: 0 }, forgotten: { $exists: false } },
          ...(after === null ? {} : { _id: { $gt: after } }),
        };
        const found = await ledgers
          .find(where, { session })
          .sort({ _id: 1 })
          .limit(limit + 1)
          .project<LedgerVersion>({ version: 1, traceparent: 1 })
          .toArray();
        return pageOf(found, limit, ({ _id }) => _id);
      }),

    /**
     * Listed rows at or above a threshold, by line and id. Lines that are deleted, or of another
     * project, have none.
     *
     * No page reads more of the index than its own rows and those of the last line on it, however many
     * lines are asked for: the numbers of listed rows say how many lines fill it.
     */
    page: (
      { project_id, service_ids, threshold }: EpisodeQuery,
      { after, limit }: { after: RowPlace | null; limit: number },
    ): Promise<Page<RowDocument, RowPlace>> =>
      ofProject(project_id, async (session) => {
        const asked: Filter<LedgerDocument> = {
          ...{ _id: { $in: [...service_ids] }, project_id, forgotten: { $exists: false } },
        };
        const lines = await ledgers
          .find(asked, { session })
          .sort({ _id: 1 })
          .project<Line>({ listed: 1 })
          .toArray();
        const listed = { listed: true, severity: asStored(threshold) };
        const places: RowPlace[] = [];
        if (after && lines.some(({ _id }) => _id === after.service_id)) {
          const rest = { ...listed, service_id: after.service_id, _id: { $gt: after.id } };
          places.push(...(await placesOf(rest, limit + 1, session)));
        }
        let left = lines.filter(({ _id }) => after === null || _id > after.service_id);
        while (left.length > 0 && places.length <= limit) {
          const missing = limit + 1 - places.length;
          const next = enoughFor(missing, left, severitiesFrom(threshold));
          const service_id = { $in: next.map(({ _id }) => _id) };
          places.push(...(await placesOf({ ...listed, service_id }, missing, session)));
          left = left.slice(next.length);
        }
        const { items, next } = pageOf(places, limit, (place) => place);
        const ids = items.map(({ id }) => id);
        return { items: await read(ids, session), next };
      }),
  };
}

/**
 * With the lowest threshold also what has no severity at all, which no write leaves behind: where it
 * is there nevertheless, it is told as unknown.
 */
function asStored(threshold: AlertThreshold): Filter<RowDocument>['severity'] {
  return threshold === 'low' ? { $ne: 'none' } : { $in: severitiesFrom(threshold) };
}

/** The first lines that have so many listed rows together, as far as these are counted; all when they do not. */
function enoughFor(count: number, lines: readonly Line[], of: readonly Severity[]): Line[] {
  let sum = 0;
  const some: Line[] = [];
  for (const line of lines) {
    some.push(line);
    for (const severity of of) sum += line.listed?.[severity] ?? 0;
    if (sum >= count) break;
  }
  return some;
}

/** @param found one more than `limit` where there is more */
function pageOf<Item, Place>(
  found: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Place,
): Page<Item, Place> {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, next: found.length > limit && last !== undefined ? placeOf(last) : null };
}
