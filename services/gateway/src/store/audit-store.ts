import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher, withTimeout, type IndexPlan } from '@bomtrail/service-kit';
import { MongoServerError, type Db, type Filter } from 'mongodb';
import type { Outcome, Resources } from '../domain/audit-entry';

/** Through which door a call came. */
export type Protocol = 'rest' | 'grpc' | 'command';

/** One call that changes something, or tried to. It holds no secret and nothing of a body but ids. */
export interface AuditEntryDocument {
  /** UUID. */
  _id: string;
  at: Date;
  /** The key as it was named then; null: a command on the server. */
  key: { id: string; prefix: string; name: string | null } | null;
  protocol: Protocol;
  /** operationId of the contract. */
  operation: string;
  method: string | null;
  path: string | null;
  resources: Resources;
  request_id: string;
  /** Address of the immediate peer. */
  client: string | null;
  /** null: the call is in hand, or its outcome was lost. */
  outcome: (Outcome & { at: Date }) | null;
}

export interface AuditFilters {
  key_id?: string | undefined;
  project_id?: string | undefined;
  operation?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** What is added to an entry when its call has ended. */
export interface AuditCompletion {
  id: string;
  outcome: Outcome & { at: Date };
  resources: Resources;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** No call waits longer for its entry; it is refused with 503 instead. */
const insertTimeoutMs = 2_000;
/** After a write of outcomes those of the next calls gather for so long: nobody waits for them. */
const outcomesGatherMs = 100;
/** Entries in one write. */
const batchSize = 500;
const retentionIndex = 'retention';
const secondsPerDay = 86_400;
/** MongoDB's code for an index that is there with other options. */
const indexOptionsConflict = 85;

const newestFirst = { at: -1, _id: 1 } as const;

export const auditIndexes: IndexPlan = {
  audit_entries: [
    { key: newestFirst, name: 'listed' },
    { key: { 'resources.project_id': 1, ...newestFirst }, name: 'listed_by_project' },
    { key: { 'key.id': 1, ...newestFirst }, name: 'listed_by_key' },
    { key: { operation: 1, ...newestFirst }, name: 'listed_by_operation' },
  ],
};

/** The audit log. Writes of calls that come together are written together. */
export function createAuditStore(db: Db) {
  const entries = db.collection<AuditEntryDocument>('audit_entries');

  const insert = createBatcher<AuditEntryDocument, void>(async (batch) => {
    await withTimeout(entries.insertMany(batch, { ordered: false }), insertTimeoutMs);
    return batch.map(() => undefined);
  }, batchSize);

  const complete = createBatcher<AuditCompletion, void>(async (batch) => {
    const writes = batch.map(({ id, outcome, resources }) => ({
      updateOne: { filter: { _id: id }, update: { $set: { outcome, resources } } },
    }));
    // It takes as long as the driver does not give up.
    await entries.bulkWrite(writes, { ordered: false });
    await pause(outcomesGatherMs);
    return batch.map(() => undefined);
  }, batchSize);

  return {
    /** Resolves when the entry is stored for good. */
    insert,
    complete,

    /** Newest first, ties by id. */
    async list(filters: AuditFilters, page: { skip: number; limit: number }) {
      const where = filterOf(filters);
      const isAll = Object.keys(where).length === 0;
      const [items, total] = await Promise.all([
        entries.find(where).sort(newestFirst).skip(page.skip).limit(page.limit).toArray(),
        // Counting a log of millions one by one takes seconds; the collection knows its own size.
        isAll ? entries.estimatedDocumentCount() : entries.countDocuments(where),
      ]);
      return { items, total };
    },

    /** From now on entries, also those that are there, are dropped when they are so old. */
    async keepForDays(days: number): Promise<void> {
      const expireAfterSeconds = days * secondsPerDay;
      try {
        await entries.createIndex({ at: 1 }, { name: retentionIndex, expireAfterSeconds });
      } catch (error) {
        if (!(error instanceof MongoServerError && error.code === indexOptionsConflict))
          throw error;
        const index = { name: retentionIndex, expireAfterSeconds };
        await db.command({ collMod: entries.collectionName, index });
      }
    },
  };
}

function filterOf({
  key_id,
  project_id,
  operation,
  from,
  to,
}: AuditFilters): Filter<AuditEntryDocument> {
  return {
    ...(key_id === undefined ? {} : { 'key.id': key_id }),
    ...(project_id === undefined ? {} : { 'resources.project_id': project_id }),
    ...(operation === undefined ? {} : { operation }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } }),
  };
}
