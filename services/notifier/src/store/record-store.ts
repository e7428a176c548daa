import {
  createKnownProjects,
  type Database,
  type KnownProjectDocument,
  type Lease,
} from '@bomtrail/service-kit';
import type { ClientSession, Collection } from 'mongodb';
import type { RetryState } from '../domain/retry-state';
import type {
  AlertRuleDocument,
  DeliveryDocument,
  MarkDocument,
  NotificationDocument,
} from './documents';

/** What came of looking at a rule, stored whole or not at all. */
export interface CheckRecord {
  rule: Pick<AlertRuleDocument, '_id' | 'project_id' | 'updated_at'>;
  /** Attempts that were made. */
  deliveries: readonly DeliveryDocument[];
  /** Episodes that are not new any more; at most `maxNotified` of `gather-new.ts`. */
  notifications: readonly NotificationDocument[];
  marks: readonly MarkDocument[];
  /** Null: nothing new waits any more. */
  retry_state: RetryState | null;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Documents that one write holds. */
const writtenAtOnce = 1_000;

/** Stores what was told, on condition of the lease (fencing), of the rule and of its project. */
export function createRecordStore({ db, client }: Pick<Database, 'db' | 'client'>) {
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );
  const rules = db.collection<AlertRuleDocument>('alert_rules');
  const stores = {
    deliveries: db.collection<DeliveryDocument>('deliveries'),
    notifications: db.collection<NotificationDocument>('notifications'),
    marks: db.collection<MarkDocument>('marks'),
  };

  return {
    /**
     * Repeating it after a failure stores nothing twice. `gone`: the rule or its project was deleted, nothing is kept.
     * Trouble of a rule that was changed meanwhile is not stored: the changed rule is tried at once.
     *
     * @throws LeaseLost when another process has taken the lease; nothing is stored then
     */
    record: (record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<'done' | 'gone'> =>
      projects.writeTo(record.rule.project_id, async (session) => {
        await lease.guard(session);
        const { rule, retry_state } = record;
        const found = await rules.findOneAndUpdate(
          { _id: rule._id },
          { $inc: { records: 1 } },
          { session, projection: { updated_at: 1 } },
        );
        if (found === null) return 'gone';
        if (found.updated_at?.getTime() === rule.updated_at?.getTime()) {
          const change =
            retry_state === null
              ? { $unset: { retry_state: '' as const } }
              : { $set: { retry_state } };
          await rules.updateOne({ _id: rule._id }, change, { session });
        }
        await insertMissing(stores.deliveries, record.deliveries, session);
        await insertMissing(stores.notifications, record.notifications, session);
        await replaceMarks(stores.marks, record.marks, session);
        return 'done' as const;
      }),
  };
}

async function insertMissing<Document extends { _id: string }>(
  collection: Collection<Document>,
  documents: readonly Document[],
  session: ClientSession,
): Promise<void> {
  // The driver's types do not see through a generic document.
  const plain = collection as unknown as Collection<{ _id: string }>;
  for (const some of inParts(documents)) {
    const there = await plain
      .find({ _id: { $in: some.map(({ _id }) => _id) } }, { session, projection: { _id: 1 } })
      .toArray();
    const known = new Set(there.map(({ _id }) => _id));
    const missing = some.filter(({ _id }) => !known.has(_id));
    if (missing.length > 0) await plain.insertMany(missing, { session });
  }
}

async function replaceMarks(
  marks: Collection<MarkDocument>,
  documents: readonly MarkDocument[],
  session: ClientSession,
): Promise<void> {
  for (const some of inParts(documents)) {
    const replacements = some.map((mark) => ({
      replaceOne: { filter: { _id: mark._id }, replacement: mark, upsert: true },
    }));
    await marks.bulkWrite(replacements, { session, ordered: false });
  }
}

function inParts<Item>(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [];
  for (let from = 0; from < items.length; from += writtenAtOnce)
    parts.push(items.slice(from, from + writtenAtOnce));
  return parts;
}
