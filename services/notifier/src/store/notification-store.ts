import type { Database, IndexPlan } from '@bomtrail/service-kit';
import type { AlertThreshold } from '@bomtrail/messages';
import type { MarkDocument, NotificationDocument } from './documents';

export const notificationIndexes: IndexPlan = {
  notifications: [
    { key: { rule_id: 1, service_id: 1 } },
    { key: { project_id: 1, service_id: 1 } },
  ],
  marks: [{ key: { rule_id: 1 } }, { key: { project_id: 1, service_id: 1 } }],
};

export type NotificationStore = ReturnType<typeof createNotificationStore>;

/** Documents that one write of a delete takes. */
const deletedAtOnce = 10_000;

/** What rules have told, and up to where; written by the record store. */
export function createNotificationStore({ db }: Pick<Database, 'db'>) {
  const notifications = db.collection<NotificationDocument>('notifications');
  const marks = db.collection<MarkDocument>('marks');

  return {
    /** Which of these facts there are. */
    async among(keys: readonly string[]): Promise<Set<string>> {
      const found = await notifications
        .find({ _id: { $in: [...keys] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** The marks of a rule with this threshold: by line the version of its ledger. */
    async marks(rule: { _id: string; severity_threshold: AlertThreshold }) {
      const found = marks
        .find({ rule_id: rule._id, threshold: rule.severity_threshold })
        .project<Pick<MarkDocument, 'service_id' | 'version'>>({
          _id: 0,
          service_id: 1,
          version: 1,
        });
      const versions = new Map<string, number>();
      for await (const { service_id, version } of found) versions.set(service_id, version);
      return versions;
    },

    /** The projects of which anything is kept. */
    async projects(): Promise<string[]> {
      const kept = [
        ...(await notifications.distinct('project_id')),
        ...(await marks.distinct('project_id')),
      ];
      return [...new Set(kept)];
    },

    /** The lines of a project of which anything is kept. */
    async services(projectId: string): Promise<string[]> {
      const of = { project_id: projectId };
      const kept = [
        ...(await notifications.distinct('service_id', of)),
        ...(await marks.distinct('service_id', of)),
      ];
      return [...new Set(kept)];
    },

    /** The rules of which anything is kept. */
    async rules(): Promise<string[]> {
      const kept = [
        ...(await notifications.distinct('rule_id')),
        ...(await marks.distinct('rule_id')),
      ];
      return [...new Set(kept)];
    },

    /** Drops a bounded part of what is kept of a rule, a line or a project; true: something may be left. */
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
