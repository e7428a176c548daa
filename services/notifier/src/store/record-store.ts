import { createKnownProjects, type KnownProjectDocument } from '@bomtrail/deletion';
import type { Database, Lease } from '@bomtrail/mongo';
import type { ClientSession, Collection } from 'mongodb';
import type { RetryState } from '../domain/retry-state';
import type {
  AlertRuleDocument,
  DeliveryDocument,
  MarkDocument,
  NotificationDocument,
  ReminderDocument,
} from './documents';

/** Outcome of the check of a rule, stored atomically. */
export interface CheckRecord {
  rule: Pick<AlertRuleDocument, '_id' | 'project_id' | 'updated_at'>;
  deliveries: readonly DeliveryDocument[];
  /** Reported alert periods, at most `maxNotified` of `gather-new.ts`. */
  notifications: readonly NotificationDocument[];
  /** Reminders that were told, at most `maxReminders` of `gather-reminders.ts`. */
  reminders?: readonly ReminderDocument[];
  marks: readonly MarkDocument[];
  /** Null: nothing is waiting. */
  retry_state: RetryState | null;
  /** The digest that this check has served; absent: none. */
  digested_to?: Date | undefined;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Documents per write. */
const writtenAtOnce = 1_000;

/**
 * Stores outcomes, provided that the lease is held (fencing) and that the rule and its project
 * exist.
 */
export function createRecordStore({ db, client }: Pick<Database, 'db' | 'client'>) {
  const projects = createKnownProjects(
    client,
    db.collection<KnownProjectDocument>('known_projects'),
  );
  const rules = db.collection<AlertRuleDocument>('alert_rules');
  const stores = {
    deliveries: db.collection<DeliveryDocument>('deliveries'),
    notifications: db.collection<NotificationDocument>('notifications'),
    reminders: db.collection<ReminderDocument>('reminders'),
    marks: db.collection<MarkDocument>('marks'),
  };

  return {
    /**
     * Idempotent. `gone`: the rule or its project was deleted, nothing is stored. The retry state
     * of a rule that was changed meanwhile is not stored, since the changed rule is tried at once.
     *
     * @throws LeaseLost if another process has taken the lease; nothing is stored
     */
    record: (record: CheckRecord, lease: Pick<Lease, 'guard'>): Promise<'done' | 'gone'> =>
      projects.writeTo(record.rule.project_id, async (session) => {
        await lease.guard(session);
        const { rule, retry_state, digested_to } = record;
        const found = await rules.findOneAndUpdate(
          { _id: rule._id },
          { $inc: { records: 1 }, ...(digested_to && { $set: { digested_to } }) },
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
        await insertMissing(stores.reminders, record.reminders ?? [], session);
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
  // The driver's types do not support a generic document.
  const plain = collection as unknown as Collection<{ _id: string }>;
  for (const some of inParts(documents)) {
    const existing = await plain
      .find({ _id: { $in: some.map(({ _id }) => _id) } }, { session, projection: { _id: 1 } })
      .toArray();
    const known = new Set(existing.map(({ _id }) => _id));
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
