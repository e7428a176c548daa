import type { AnyBulkWriteOperation, ClientSession, Db, Filter, UpdateFilter } from 'mongodb';
import type { CaughtUp } from '../domain/caught-up';
import { episodesAfter, type EpisodeFacts } from '../domain/episodes';
import type { Episodes, LogEntry, Row } from '../domain/types';
import type {
  KnownProjectDocument,
  LedgerDocument,
  LogDocument,
  RowDocument,
  PendingUpdates,
} from './documents';
import {
  addTo,
  createListedCounts,
  isCounted,
  listedChange,
  type ListedCounts,
} from './listed-counts';
import { toDocument } from './row-mapping';

/** A line as it stands. */
export interface StoredLine {
  /** Null: nothing was written for this line yet. */
  ledger: LedgerDocument | null;
  /** All of them, or those of the packages that were asked for. */
  rows: Row[];
}

/** What changes on a line, in one write. */
export interface LineChange {
  service_id: string;
  project_id: string;
  head: LogEntry | null;
  revision: number;
  /** The latest advisory revision that any of these rows stands on; absent: of those that stood before. */
  newest?: number | undefined;
  /** Packages whose rows stand on a later revision afterwards; absent: that is known of none. */
  caughtUp?: CaughtUp | undefined;
  /** Rows that are new or differ. */
  rows: readonly Row[];
  /** Entries or tombstones that take the place of whatever the log holds under their ids. */
  log: readonly LogDocument[];
  /** States that rows of `rows` had in between, oldest first, where several SBOMs are written at once. */
  passed?: ReadonlyMap<string, readonly Row[]> | undefined;
  /** Entries that the log does not hold: that it does not is a condition. */
  joins?: readonly LogDocument[] | undefined;
  /** What the rows show afterwards; absent: as before where no row changes, else not known. */
  shows?: { findings: string; epoch: number } | undefined;
  /** Of a part of a change: rows are left behind; absent: all rows are as log and head say afterwards. */
  behind?: Omit<PendingUpdates, 'at'> | undefined;
  /** Place of this change in its trace. */
  traceparent?: string | undefined;
}

/** A change of a line, and the line as it was when that was decided. */
export interface Save {
  before: StoredLine;
  change: LineChange;
}

export type ChangeWriter = ReturnType<typeof createChangeWriter>;

/** Writes changes of lines within a transaction: ledgers, sums, logs and rows, one command for each collection. */
export function createChangeWriter(db: Db) {
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const counted = createListedCounts(db);

  return {
    /**
     * Before the ledgers of lines that begin, in the same transaction: a delete of one of the projects
     * at the same time writes its document too, so that one of the two sees the other.
     *
     * @throws a duplicate key when one of the projects was deleted
     */
    async addToProjects(projectIds: readonly string[], session: ClientSession): Promise<void> {
      if (projectIds.length === 0) return;
      const lines = new Map<string, number>();
      for (const id of projectIds) lines.set(id, (lines.get(id) ?? 0) + 1);
      const moves = [...lines].map(([_id, changes]) => ({
        updateOne: {
          filter: { _id, forgotten: { $exists: false } },
          update: { $inc: { changes } },
          upsert: true,
        },
      }));
      await projects.bulkWrite(moves, { session, ordered: false });
    },

    /**
     * Each line on condition that it is still as `before`.
     *
     * @param begins the lines without a ledger get one here: their projects were added to
     * @returns false: one of the lines is not, and the transaction must be given up
     * @throws a duplicate key when a line was begun, or an entry joined a log, since
     */
    async write(
      saves: readonly Save[],
      { session, begins }: { session: ClientSession; begins: boolean },
    ): Promise<boolean> {
      const moves = saves.map((save) => {
        return {
          updateOne: { ...ledgerMove(save), upsert: begins && save.before.ledger === null },
        };
      });
      const moved = await ledgers.bulkWrite(moves, { session, ordered: false });
      if (moved.matchedCount + moved.upsertedCount !== saves.length) return false;
      const isUncounted = ({ before }: Save): boolean => !isCounted(before.ledger);
      const more: ListedCounts = {};
      for (const save of saves)
        if (!isUncounted(save)) addTo(more, listedChange(save.before.rows, save.change.rows), 1);
      await counted.add(more, session);
      const entries = saves.flatMap(({ change }) => logWrites(change));
      if (entries.length > 0) await log.bulkWrite(entries, { session, ordered: false });
      const writes = saves.flatMap(rowWrites);
      if (writes.length > 0) await rows.bulkWrite(writes, { session, ordered: false });
      const uncounted = saves.filter(isUncounted).map(({ change }) => change.service_id);
      if (uncounted.length > 0)
        await counted.add(await counted.recount(uncounted, session), session);
      return true;
    },
  };
}

/**
 * The write of a change to the line's ledger, on condition that it is as it was read: deleting the line
 * or its project moves the version too. Where its listed rows are not counted yet, they are to be
 * counted once the rows are written.
 */
function ledgerMove({ before, change }: Save): {
  filter: Filter<LedgerDocument>;
  update: UpdateFilter<LedgerDocument>;
} {
  const { service_id, project_id, head, revision, newest, caughtUp, behind } = change;
  const version = before.ledger?.version ?? 0;
  const $set: Partial<LedgerDocument> = { head, revision };
  const $inc: Record<string, number> = { version: 1 };
  if (isCounted(before.ledger)) {
    $set.listed_version = version + 1;
    const listed = Object.entries(listedChange(before.rows, change.rows));
    for (const [severity, more] of listed) if (more !== 0) $inc[`listed.${severity}`] = more;
  }
  const shows = change.shows ?? (change.rows.length === 0 ? shownBy(before.ledger) : null);
  if (shows) $set.shows = { findings: shows.findings, epoch: shows.epoch, version: version + 1 };
  if (caughtUp) $set.caught_up = caughtUp;
  if (behind) $set.pending_updates = { ...behind, at: new Date() };
  // Of a change that was not traced no former one's place is told.
  const { traceparent } = change;
  const isUntraced = change.rows.length > 0 && !traceparent;
  if (change.rows.length > 0 && traceparent) $set.traceparent = traceparent;
  const $unset = {
    ...(before.ledger?.caught_up && !caughtUp && { caught_up: true as const }),
    ...(before.ledger?.pending_updates && !behind && { pending_updates: true as const }),
    ...(before.ledger?.traceparent && isUntraced && { traceparent: true as const }),
  };
  return {
    filter: { _id: service_id, version },
    update: {
      ...{ $set, $inc, $max: newest === undefined ? {} : { newest_revision: newest } },
      ...(before.ledger === null && { $setOnInsert: { project_id } }),
      ...(Object.keys($unset).length > 0 && { $unset }),
    },
  };
}

/** What the rows of a line show, where that is known: an earlier release leaves it behind. */
export function shownBy(ledger: LedgerDocument | null): LedgerDocument['shows'] | null {
  return ledger?.shows?.version === ledger?.version ? ledger?.shows : null;
}

function logWrites({ log, joins = [] }: LineChange): AnyBulkWriteOperation<LogDocument>[] {
  const replaced = log.map((entry): AnyBulkWriteOperation<LogDocument> => {
    const { _id, ...replacement } = entry;
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
  return [...joins.map((document) => ({ insertOne: { document } })), ...replaced];
}

/**
 * The writes of a change to the rows of its line: the one place in which their episodes move on, from
 * those that are stored.
 */
function rowWrites({ before, change }: Save): AnyBulkWriteOperation<RowDocument>[] {
  const { service_id, project_id } = change;
  const known = new Map(before.rows.map((row) => [row.id, row]));
  const now = new Date();
  return change.rows.map((row): AnyBulkWriteOperation<RowDocument> => {
    const former = known.get(row.id);
    const episodes = episodesThrough(former, [...(change.passed?.get(row.id) ?? []), row], now);
    const document = toDocument({ ...row, episodes }, { service_id, project_id });
    if (!former) return { insertOne: { document } };
    const { _id, ...replacement } = document;
    return { replaceOne: { filter: { _id }, replacement } };
  });
}

/** The episodes of a row that has gone through these states, the last of which is written. */
function episodesThrough(
  former: Row | undefined,
  states: readonly Row[],
  now: Date,
): Episodes | undefined {
  let stood: EpisodeFacts | undefined = former;
  for (const state of states) stood = { ...state, episodes: episodesAfter(stood, state, now) };
  return stood?.episodes;
}
