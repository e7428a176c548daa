import { importVex } from '@bomtrail/messages';
import { gzip, type Request } from '@bomtrail/messaging';
import { startVexSourceBench } from '../testing/vex-source-bench';
import { pollVexSources, type PollVexSourcesDeps } from './poll-vex-sources';

let bench: Awaited<ReturnType<typeof startVexSourceBench>>;
let server: (typeof bench)['server'];
let newDeps: (typeof bench)['newDeps'];
let putProvider: (typeof bench)['putProvider'];

beforeAll(async () => {
  bench = await startVexSourceBench();
  ({ server, newDeps, putProvider } = bench);
});
afterAll(() => bench?.stop());
afterEach(() => server.heal());

/** The import is stored, and nothing after it happens: a kill, or a response that was lost. */
const lostAfter = (deps: PollVexSourcesDeps, lost: string): PollVexSourcesDeps => {
  const request = async (...asked: Parameters<Request>): Promise<unknown> => {
    const response = await deps.request(...asked);
    const { id } = response.body as { id?: string };
    if (asked[0] === (importVex as unknown) && id === lost) throw new Error('lost');
    return response;
  };
  return { ...deps, request: request as unknown as Request };
};
const a = { id: 'a', version: 1 };
const b = { id: 'b', version: 1 };

test('a poll that ended in between leaves no decisions of a document that its source does not list any more', async () => {
  const { deps, stored, state } = await newDeps(putProvider([a]));
  await pollVexSources(deps);
  const imported = Buffer.from(JSON.stringify({ id: 'of-a-person', version: 1 }));
  const query = { project_id: null, size: imported.length };
  await deps.request(importVex, query, await gzip(imported));
  putProvider([a, b], 'later');
  await pollVexSources(lostAfter(deps, 'b'));
  expect(stored()).toEqual({ a: 1, b: 1, 'of-a-person': 1 });
  expect((await state())?.error).toBe('lost');
  putProvider([a], 'last');
  expect(await pollVexSources(deps)).toBe(1);
  expect(stored()).toEqual({ a: 1, 'of-a-person': 1 });
  expect(await pollVexSources(deps)).toBe(0);
});

test('a poll that ended in between keeps a document that is still listed', async () => {
  const { deps, stored } = await newDeps(putProvider([a, b]));
  await pollVexSources(lostAfter(deps, 'b'));
  expect(await pollVexSources(deps)).toBe(1);
  expect(stored()).toEqual({ a: 1, b: 1 });
});

test('a poll that ended in between of a source that is not watched any more leaves nothing', async () => {
  const { deps, stored, unwatchedFor } = await newDeps(putProvider([a, b]));
  await pollVexSources(lostAfter(deps, 'b'));
  await pollVexSources({ ...deps, vexSources: [] });
  await unwatchedFor(10 * 60_000);
  await pollVexSources({ ...deps, vexSources: [] });
  expect(stored()).toEqual({});
});

test('a poll that ended in between does not take a list as known that it did not follow to its end', async () => {
  const { deps, stored } = await newDeps(putProvider([a]));
  await pollVexSources(deps);
  putProvider([a, b, { id: 'c', version: 1 }]);
  server.break(/\/c\.json/, { status: 503 });
  await pollVexSources(deps);
  expect(stored()).toEqual({ a: 1, b: 1 });
  server.heal();
  // The list of before, which the server says is unchanged.
  putProvider([a]);
  expect(await pollVexSources(deps)).toBe(1);
  expect(stored()).toEqual({ a: 1 });
});
