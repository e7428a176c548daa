import { setTimeout as pause } from 'node:timers/promises';
import { createBatcher, withTimeout } from '@bomtrail/concurrency';
import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral, type IndexPlan } from '@bomtrail/mongo';
import { MongoServerError, type Db, type Filter } from 'mongodb';
import type { Outcome, Resources } from '../domain/audit-entry';

/** Protocol of a call. */
export type Protocol = 'rest' | 'grpc' | 'command';

export interface AuditedPerson {
  id: string;
  issuer: string;
  subject: string;
  name: string | null;
  email: string | null;
}

/** A changing call. Contains no secrets, and only ids of a body. */
export interface AuditEntryDocument {
  /** UUID. */
  _id: string;
  at: Date;
  /** The key with its name at that time; null: a person, or a command on the server. */
  key: { id: string; prefix: string; name: string | null } | null;
  /** The person, as the identity provider named them at that time. */
  person?: AuditedPerson;
  protocol: Protocol;
  /** operationId of the contract. */
  operation: string;
  method: string | null;
  path: string | null;
  resources: Resources;
  request_id: string;
  /** Address of the client. */
  client: string | null;
  /** null: the call is running, or its outcome was lost. */
  outcome: (Outcome & { at: Date }) | null;
}

export interface AuditFilters {
  key_id?: string | undefined;
  project_id?: ProjectScope | undefined;
  operation?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** Completion of an entry. */
export interface AuditCompletion {
  id: string;
  outcome: Outcome & { at: Date };
  resources: Resources;
}

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Maximum wait for an entry; then the call is rejected with 503. */
const insertTimeoutMs = 2_000;
/** Pause between writes of outcomes, which collects them; nothing waits for them. */
const outcomesGatherMs = 100;
/** Entries per write. */
const batchSize = 500;
const retentionIndex = 'retention';
const secondsPerDay = 86_400;
/** MongoDB's error code for an index that exists with other options. */
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

/** The audit log. Concurrent writes are batched. */
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
    // Without a timeout of its own.
    await entries.bulkWrite(writes, { ordered: false });
    await pause(outcomesGatherMs);
    return batch.map(() => undefined);
  }, batchSize);

  return {
    /** Resolves when the entry is stored durably. */
    insert,
    complete,

    /** Newest first, ties by id. */
    async list(filters: AuditFilters, page: { skip: number; limit: number }) {
      const where = filterOf(filters);
      const isAll = Object.keys(where).length === 0;
      const [items, total] = await Promise.all([
        entries.find(where).sort(newestFirst).skip(page.skip).limit(page.limit).toArray(),
        // Counting millions of entries takes seconds; the estimated count is fast.
        isAll ? entries.estimatedDocumentCount() : entries.countDocuments(where),
      ]);
      return { items, total };
    },

    /** Sets the retention, also for existing entries. */
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
    ...(project_id === undefined ? {} : { 'resources.project_id': oneOrSeveral(project_id) }),
    ...(operation === undefined ? {} : { operation }),
    ...(from === undefined && to === undefined
      ? {}
      : { at: { ...(from ? { $gte: from } : {}), ...(to ? { $lt: to } : {}) } }),
  };
}
