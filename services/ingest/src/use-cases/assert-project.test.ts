import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { createAssertProject } from './assert-project';

test('an existing project is cached, a missing one is not', async () => {
  const there = new Set(['shop']);
  const requests: string[] = [];
  const request = (async (_question: unknown, { project_slug: slug }: { project_slug: string }) => {
    requests.push(slug);
    if (!there.has(slug)) throw new AppError('project_not_found');
  }) as unknown as Request;
  const assertProject = createAssertProject(request);
  const named = (project_slug: string) => ({ project_id: null, project_slug });
  const httpError = { code: 'project_not_found' };

  await assertProject(named('shop'));
  await assertProject(named('shop'));
  await expect(assertProject(named('bank'))).rejects.toMatchObject(httpError);
  await expect(assertProject(named('bank'))).rejects.toMatchObject(httpError);
  there.add('bank');
  await assertProject(named('bank'));
  expect(requests).toEqual(['shop', 'bank', 'bank', 'bank']);
});
