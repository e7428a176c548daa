import { sbomsOutdated } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const vue = 'vue@1.0.0 GHSA-9';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler({ olderScanner: true });
});
afterAll(() => world?.stop());

test('beside a scanner of the release before, uploads and advisory changes come into the lists', async () => {
  const line = new TestLine(world);
  const [first, second] = [world.newSet(lodash, axios), world.newSet(axios)];
  await world.finish({ ...line.upload(first), evaluated_revision: 1 });
  const newest = { ...line.upload(second), evaluated_revision: 1 };
  await world.finish(newest);
  for (const digest of [first, second]) world.revisions.set(digest, 2);
  world.setScan(first, axios, vue);
  world.setScan(second, axios, vue);

  const { lane: _lane, revision: _none, attempt: _attempt, ...asked } = newest;
  const { evaluated_revision: _evaluated, ...sbom } = asked;
  await world.bus.publish(sbomsOutdated, {
    sboms: [sbom],
    revision: 2,
    packages: ['npm|lodash', 'npm|vue'],
  });
  await eventually(() => world.caughtUp.some(({ revision }) => revision === 2), {
    what: 'the line is up to date',
  });

  const [stored, recomputed] = await line.storedAndRecomputed();
  expect(stored).toEqual(recomputed);
  expect(Object.keys(await line.states()).sort()).toContain('vue GHSA-9');
  expect(world.questions).toEqual([]);
});
