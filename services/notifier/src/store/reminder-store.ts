import type { Database, IndexPlan } from '@bomtrail/mongo';
import type { ReminderDocument } from './documents';

export const reminderIndexes: IndexPlan = {
  reminders: [{ key: { rule_id: 1 } }, { key: { project_id: 1 } }],
};

export type ReminderStore = ReturnType<typeof createReminderStore>;

/** Reminders that rules told, or gave up; the record store writes them. */
export function createReminderStore({ db }: Pick<Database, 'db'>) {
  const reminders = db.collection<ReminderDocument>('reminders');
  return {
    /** Returns the existing ones of these keys. */
    async among(keys: readonly string[]): Promise<Set<string>> {
      const found = await reminders
        .find({ _id: { $in: [...keys] } })
        .project<{ _id: string }>({ _id: 1 })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },

    /** Rules with stored reminders. */
    rules: (): Promise<string[]> => reminders.distinct('rule_id'),

    drop: async (of: { rule_id: string } | { project_id: string }): Promise<void> => {
      await reminders.deleteMany(of);
    },
  };
}
