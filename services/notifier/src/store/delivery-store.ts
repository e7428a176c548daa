import type { NamedAlertRule } from '@bomtrail/messages';
import { oneOrSeveral, type Database, type IndexPlan } from '@bomtrail/mongo';
import type { DeliveryDocument } from './documents';

/** Days that deliveries are stored. */
const retentionDays = 90;

export const deliveryIndexes: IndexPlan = {
  deliveries: [
    { key: { rule_id: 1, at: -1, _id: -1 } },
    { key: { project_id: 1 } },
    { key: { at: 1 }, expireAfterSeconds: retentionDays * 24 * 3600 },
  ],
};

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

/** Deliveries. Those of alerts are written by the record store. */
export function createDeliveryStore({ db }: Pick<Database, 'db'>) {
  const deliveries = db.collection<DeliveryDocument>('deliveries');

  return {
    insert: async (delivery: DeliveryDocument): Promise<void> => {
      await deliveries.insertOne(delivery);
    },

    /**
     * Newest first; with `of_project` only deliveries from the time when the rule belonged to one of
     * these projects.
     */
    async list(
      { alert_id, of_project }: NamedAlertRule,
      page: { skip: number; limit: number },
    ): Promise<{ items: DeliveryDocument[]; total: number }> {
      const of = {
        rule_id: alert_id,
        ...(of_project === null ? {} : { project_id: oneOrSeveral(of_project) }),
      };
      const [items, total] = await Promise.all([
        deliveries.find(of).sort({ at: -1, _id: -1 }).skip(page.skip).limit(page.limit).toArray(),
        deliveries.countDocuments(of),
      ]);
      return { items, total };
    },

    /** Rules with stored deliveries. */
    rules: (): Promise<string[]> => deliveries.distinct('rule_id'),

    drop: async (of: { rule_id: string } | { project_id: string }): Promise<void> => {
      await deliveries.deleteMany(of);
    },
  };
}
