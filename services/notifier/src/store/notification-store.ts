import type { Database, IndexPlan } from '@bomtrail/mongo';
import type { MarkDocument, NotificationDocument } from './documents';

export const notificationIndexes: IndexPlan = {
  notifications: [
    { key: { rule_id: 1, service_id: 1 } },
    { key: { project_id: 1, service_id: 1 } },
  ],
  marks: [{ key: { rule_id: 1 } }, { key: { project_id: 1, service_id: 1 } }],
};

/** What a mark says. */
export type StoredMark = Pick<MarkDocument, 'version' | 'risk'>;

export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** Documents per delete. */
const deletedAtOnce = 10_000;

/** Notifications and marks of rules; the record store writes them. */
export function createNotificationStore({ db }: Pick<Database, 'db'>) {
  const notifications = db.collection<NotificationDocument>('notifications');
  const marks = db.collection<MarkDocument>('marks');

  return {
    /** Returns the existing ones of these keys. */
    async among(keys: readonly string[]): Promise<Set<string>> {
      const found = await notifications
        .find({ _id: { $in: [...keys] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** The marks of a rule with these reasons, by service. */
    async marks(ruleId: string, reasons: string): Promise<Map<string, StoredMark>> {
      const found = marks
        .find({ rule_id: ruleId, reasons })
        .project<StoredMark & { service_id: string }>({
          _id: 0,
          service_id: 1,
          version: 1,
          risk: 1,
        });
      const stored = new Map<string, StoredMark>();
      for await (const { service_id, ...mark } of found) stored.set(service_id, mark);
      return stored;
    },

    /** Projects with stored notifications or marks. */
    async projects(): Promise<string[]> {
      const ids = [
        ...(await notifications.distinct('project_id')),
        ...(await marks.distinct('project_id')),
      ];
      return [...new Set(ids)];
    },

    /** Services of a project with stored notifications or marks. */
    async services(projectId: string): Promise<string[]> {
      const of = { project_id: projectId };
      const ids = [
        ...(await notifications.distinct('service_id', of)),
        ...(await marks.distinct('service_id', of)),
      ];
      return [...new Set(ids)];
    },

    /** Rules with stored notifications or marks. */
    async rules(): Promise<string[]> {
      const ids = [
        ...(await notifications.distinct('rule_id')),
        ...(await marks.distinct('rule_id')),
      ];
      return [...new Set(ids)];
    },

    /**
     * Deletes a bounded part of the data of a rule, project or service; true if some may be left.
     */
    async drop(
      of: { rule_id: string } | { project_id: string; service_id?: string },
    ): Promise<boolean> {
      await marks.deleteMany(of);
      const some = await notifications
        .find(of)
        .project<{ _id: string }>({ _id: 1 })
        .limit(deletedAtOnce)
        .toArray();
      if (some.length > 0)
        await notifications.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
      return some.length === deletedAtOnce;
    },
  };
}
