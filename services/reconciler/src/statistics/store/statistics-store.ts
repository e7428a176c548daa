import type { Database, IndexPlan } from '@bomtrail/mongo';
import { createProjectStore } from '../../tracking/store/project-store';
import type { DayDocument, ProgressDocument, StatisticsStore } from '../ports';

export const statisticsIndexes: IndexPlan = {
  daily_statistics: [{ key: { project_id: 1, day: 1 } }, { key: { day: 1, project_id: 1 } }],
};

export function createStatisticsStore(database: Database): StatisticsStore {
  const days = database.db.collection<DayDocument>('daily_statistics');
  const progress = database.db.collection<ProgressDocument>('statistics_progress');
  const projects = createProjectStore(database);

  return {
    async progress() {
      const all = await progress.find().toArray();
      return new Map(all.map((one) => [one._id, one]));
    },

    stored: (projectId, from) =>
      days
        .find({ project_id: projectId, day: { $gte: from } })
        .sort({ day: 1 })
        .toArray(),

    period: (where, from) =>
      days.find({
        day: { $gte: from },
        ...(typeof where.project_id === 'string'
          ? { project_id: where.project_id }
          : {
              project_id: {
                ...(where.project_id && { $in: where.project_id }),
                $nin: [...where.without],
              },
            }),
      }),

    save: (at, changed, oldest) =>
      projects.addTo(at._id, async (session) => {
        if (changed.length > 0)
          await days.bulkWrite(
            changed.map(({ _id, ...replacement }) => {
              return { replaceOne: { filter: { _id }, replacement, upsert: true } };
            }),
            { session, ordered: false },
          );
        await days.deleteMany({ project_id: at._id, day: { $lt: oldest } }, { session });
        const { _id, ...replacement } = at;
        await progress.replaceOne({ _id }, replacement, { session, upsert: true });
        return 'saved' as const;
      }),
  };
}
