import { maxOutdatedSboms } from '@bomtrail/messages';
import { createBatcher, inTransaction, isDuplicateKey, type Database } from '@bomtrail/service-kit';
import type { Filter } from 'mongodb';
import type { LogEntry, Row } from '../domain/types';
import type { LedgerDocument, LogDocument, RowDocument } from './documents';
import {
  hasBegun,
  ledgerMove,
  logEntry,
  rowWrites,
  type LedgerStore,
  type LineChange,
  type StoredLine,
} from './ledger-store';
import {
  addTo,
  createListedCounts,
  isCounted,
  listedChange,
  type ListedCounts,
} from './listed-counts';
import { toRow } from './row-mapping';

/** What changing lines needs of their ledgers. */
export type LineLedgers = Pick<LedgerStore, 'load' | 'entry' | 'entries' | 'begin' | 'save'>;

const linesAtOnce = maxOutdatedSboms;
/** Rows that lines are saved together with, at most, so that no transaction grows without bounds. */
const manyRows = 2000;
const rowsPerRead = 5000;

interface Load {
  lineId: string;
  packages: readonly string[] | undefined;
}

interface Save {
  before: StoredLine;
  change: LineChange;
}

/**
 * The same ledgers for the lines of one advisory change, which are many and change alike: what several
 * of them need at the same moment is one round trip. Each line still changes only on condition that it
 * is as it was read, and all of it or nothing.
 */
export function createLedgersTogether(database: Database, alone: LedgerStore): LineLedgers {
  const { db, client } = database;
  const ledgers = db.collection<LedgerDocument>('ledgers');
  const log = db.collection<LogDocument>('sbom_log');
  const rows = db.collection<RowDocument>('tracked_vulnerabilities');
  const counted = createListedCounts(db);

  const load = createBatcher<Load, StoredLine | 'forgotten'>(async (loads) => {
    const lineIds = loads.map(({ lineId }) => lineId);
    const found = await ledgers.find({ _id: { $in: lineIds } }).toArray();
    const byId = new Map(found.map((ledger) => [ledger._id, ledger]));
    const rowsOf = new Map<string, Row[]>();
    for (const ledger of found) if (hasBegun(ledger)) rowsOf.set(ledger._id, []);
    const begun = loads.filter(({ lineId }) => rowsOf.has(lineId));
    for (const where of scopesOf(begun)) {
      for await (const document of rows.find(where, { batchSize: rowsPerRead }))
        rowsOf.get(document.line_id)?.push(toRow(document));
    }
    return lineIds.map((id) => {
      const ledger = byId.get(id);
      if (ledger?.forgotten) return 'forgotten';
      return hasBegun(ledger) ? { ledger, rows: rowsOf.get(id) ?? [] } : { ledger: null, rows: [] };
    });
  }, linesAtOnce);

  const entries = createBatcher<string, LogEntry[]>(async (lineIds) => {
    const documents = log
      .find({ line_id: { $in: lineIds }, removed: { $exists: false } }, { batchSize: rowsPerRead })
      .sort({ line_id: 1, seq: 1 });
    const found = new Map<string, LogEntry[]>(lineIds.map((id) => [id, []]));
    for await (const document of documents)
      found.get(document.line_id)?.push(...logEntry(document));
    return lineIds.map((id) => found.get(id) ?? []);
  }, linesAtOnce);

  /** False when one of the lines is not as it was, or no write was possible beside another one. */
  async function saveAll(saves: readonly Save[]): Promise<boolean> {
    try {
      return await inTransaction(client, async (session) => {
        const moves = saves.map(({ before, change }) => ledgerMove(before, change));
        const moved = await ledgers.bulkWrite(
          moves.map((move) => ({ updateOne: move })),
          { session, ordered: false },
        );
        if (moved.matchedCount !== saves.length) {
          await session.abortTransaction();
          return false;
        }
        const isNew = ({ before }: Save): boolean => !isCounted(before.ledger);
        const more: ListedCounts = {};
        for (const save of saves) {
          if (isNew(save)) continue;
          addTo(more, listedChange(save.before.rows, save.change.rows), 1);
        }
        await counted.add(more, session);
        const writes = saves.flatMap(({ before, change }) => rowWrites(before, change));
        if (writes.length > 0) await rows.bulkWrite(writes, { session, ordered: false });
        const uncounted = saves.filter(isNew).map(({ change }) => change.line_id);
        if (uncounted.length > 0)
          await counted.add(await counted.recount(uncounted, session), session);
        return true;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async function saveGroup(saves: readonly Save[]): Promise<('saved' | 'lost')[]> {
    if (saves.length > 1 && (await saveAll(saves))) return saves.map(() => 'saved');
    return Promise.all(saves.map(({ before, change }) => alone.save(before, change)));
  }

  const save = createBatcher<Save, 'saved' | 'lost'>(async (saves) => {
    const outcomes: ('saved' | 'lost')[] = [];
    for (const group of withinManyRows(saves)) outcomes.push(...(await saveGroup(group)));
    return outcomes;
  }, linesAtOnce);

  return {
    load: (lineId, packages) => load({ lineId, packages }),
    entries,
    entry: alone.entry,
    begin: alone.begin,
    save: (before, change) =>
      change.log.length > 0 || change.rows.length > manyRows
        ? alone.save(before, change)
        : save({ before, change }),
  };
}

/** The same in their order, in groups of which each changes at most `manyRows` rows, or is one line. */
export function withinManyRows<Change extends { change: { rows: readonly unknown[] } }>(
  saves: readonly Change[],
): Change[][] {
  const groups: Change[][] = [];
  let rows = 0;
  for (const save of saves) {
    const more = save.change.rows.length;
    const group = groups.at(-1);
    if (group && rows + more <= manyRows) {
      group.push(save);
      rows += more;
    } else {
      groups.push([save]);
      rows = more;
    }
  }
  return groups;
}

/** Which rows are to be read: the lines that are asked for in the same packages together. */
function scopesOf(loads: readonly Load[]): Filter<RowDocument>[] {
  const lines = new Map<string, { packages: readonly string[] | undefined; ids: string[] }>();
  for (const { lineId, packages } of loads) {
    const key = JSON.stringify(packages ?? null);
    const same = lines.get(key);
    if (same) same.ids.push(lineId);
    else lines.set(key, { packages, ids: [lineId] });
  }
  return [...lines.values()].map(({ packages, ids }) => ({
    line_id: { $in: ids },
    ...(packages ? { package_key: { $in: [...packages] } } : {}),
  }));
}
