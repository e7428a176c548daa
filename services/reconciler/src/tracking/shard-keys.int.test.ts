import type { Document } from 'mongodb';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { shardKeys } from '../store-indexes';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

test('uploads and removals name the shard key of the vulnerabilities and of the SBOM versions', async () => {
  const { db } = harness;
  const service = new TestService(harness);
  const first = harness.newSet('lodash@1.0.0 GHSA-1', 'axios@1.0.0 GHSA-2');
  await service.scanned(first);
  await db.command({ profile: 2 });
  await service.scanned(harness.newSet('lodash@1.0.1 GHSA-1', 'vue@1.0.0 GHSA-3'));
  const scan = await service.scanned(first);
  await service.remove(scan);
  await db.command({ profile: 0 });
  const commands = await db.collection('system.profile').find().toArray();
  const writes = commands.filter(({ op }) => ['update', 'remove'].includes(String(op)));
  for (const name of ['tracked_vulnerabilities', 'sbom_versions']) {
    const [key = ''] = Object.keys(shardKeys[name] ?? {});
    const filters = writes
      .filter(({ ns }) => String(ns).endsWith(`.${name}`))
      .map(({ command }) => (command as Document)['q'] as Document);
    expect(filters.length).toBeGreaterThan(0);
    for (const filter of filters)
      expect([name, Object.keys(filter)]).toEqual([name, expect.arrayContaining([key])]);
  }
  const reads = commands.filter(
    ({ op, ns }) => op === 'query' && String(ns).endsWith('.tracked_vulnerabilities'),
  );
  expect(reads.length).toBeGreaterThan(0);
  for (const { command } of reads)
    expect(Object.keys((command as Document)['filter'] as Document)).toContain('service_id');
});
