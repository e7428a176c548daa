import type { MongoClient } from 'mongodb';
import { BenchFailure } from '../bench-failure';
import type { Api } from '../load/api';
import type { PreparedQuestion } from './ask-lists';
import { checkPage, type ListedPage } from './check-page';
import { askedSeverities, listQuestions, type ListScope } from './list-questions';

/**
 * Asks every question once and checks its answer against the number of rows in the database: what is
 * asked later must be answered with the same bytes.
 */
export async function prepareQuestions(
  api: Api,
  database: MongoClient,
): Promise<PreparedQuestion[]> {
  const reconciler = database.db('bomtrail_reconciler');
  const rows = reconciler.collection('tracked_vulnerabilities');
  const oldest = await reconciler
    .collection<{ _id: string; project_id: string }>('service_states')
    .findOne({}, { sort: { _id: 1 } });
  if (!oldest) throw new BenchFailure('nothing was stored');
  const projectId = oldest.project_id;
  const open = { open: true };
  const totals: Record<ListScope, number> = {
    everything: await rows.countDocuments(open),
    severities: await rows.countDocuments({ ...open, severity: { $in: [...askedSeverities] } }),
    project: await rows.countDocuments({ ...open, project_id: projectId }),
  };
  const prepared: PreparedQuestion[] = [];
  for (const question of listQuestions(projectId)) {
    const ask = api.prepareRead(question.path);
    const answer = await ask();
    const page = JSON.parse(answer.toString('utf8')) as ListedPage;
    checkPage(page, question, { total: totals[question.scope], projectId });
    prepared.push({ path: question.path, ask, answer });
  }
  return prepared;
}
