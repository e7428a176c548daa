import { rescanRequested } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

const axios = 'axios@0.1.0 GHSA-2';
const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const vue = 'vue@1.0.0 GHSA-9';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ olderScanner: true });
});
afterAll(() => harness?.stop());

test('beside a scanner of the release before, uploads and advisory changes come into the lists', async () => {
  const service = new TestService(harness);
  const [first, second] = [harness.newSet(lodash, axios), harness.newSet(axios)];
  await harness.finish({ ...service.upload(first), evaluated_revision: 1 });
  const newest = { ...service.upload(second), evaluated_revision: 1 };
  await harness.finish(newest);
  for (const digest of [first, second]) harness.revisions.set(digest, 2);
  harness.setScan(first, axios, vue);
  harness.setScan(second, axios, vue);

  const { lane: _lane, revision: _none, attempt: _attempt, ...asked } = newest;
  const { evaluated_revision: _evaluated, ...sbom } = asked;
  await harness.bus.publish(rescanRequested, {
    sboms: [sbom],
    revision: 2,
    packages: ['npm|lodash', 'npm|vue'],
  });
  await eventually(() => harness.packageRevisions.some(({ revision }) => revision === 2), {
    what: 'the line is up to date',
  });

  const [stored, recomputed] = await service.storedAndRecomputed();
  expect(stored).toEqual(recomputed);
  expect(Object.keys(await service.states()).sort()).toContain('vue GHSA-9');
  expect(harness.findingsRequests).toEqual([]);
});
