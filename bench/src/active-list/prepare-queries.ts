import type { MongoClient } from 'mongodb';
import { BenchFailure } from '../bench-failure';
import type { Api } from '../load/api';
import type { PreparedQuery } from './read-lists';
import { checkPage, type ListedPage } from './check-page';
import { queriedSeverities, listQueries, type ListScope } from './list-queries';

/**
 * Asks every question once and checks its answer against the number of rows in the database: what is
 * asked later must be answered with the same bytes.
 */
export async function prepareQueries(api: Api, database: MongoClient): Promise<PreparedQuery[]> {
  const reconciler = database.db('bomtrail_reconciler');
  const rows = reconciler.collection('tracked_vulnerabilities');
  const oldest = await reconciler
    .collection<{ _id: string; project_id: string }>('service_states')
    .findOne({}, { sort: { _id: 1 } });
  if (!oldest) throw new BenchFailure('nothing was stored');
  const projectId = oldest.project_id;
  const open = { status: 'open' };
  const totals: Record<ListScope, number> = {
    everything: await rows.countDocuments(open),
    severities: await rows.countDocuments({ ...open, severity: { $in: [...queriedSeverities] } }),
    project: await rows.countDocuments({ ...open, project_id: projectId }),
  };
  const prepared: PreparedQuery[] = [];
  for (const query of listQueries(projectId)) {
    const read = api.prepareRead(query.path);
    const answer = await read();
    const page = JSON.parse(answer.toString('utf8')) as ListedPage;
    checkPage(page, query, { total: totals[query.scope], projectId });
    prepared.push({ path: query.path, read, answer });
  }
  return prepared;
}
