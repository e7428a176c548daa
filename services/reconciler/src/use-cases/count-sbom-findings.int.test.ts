import { gunzipSync } from 'node:zlib';
import {
  countFindings,
  type FailingVulnerability,
  type FindingCounts,
  type SbomReference,
} from '@bomtrail/messages';
import { TestLine } from '../testing/line';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;

beforeAll(async () => {
  world = await startReconciler();
}, 120_000);
afterAll(() => world?.stop());

async function gate(
  sbom: SbomReference,
  previous: SbomReference | 'none' | 'unknown',
): Promise<FindingCounts & { shown: FailingVulnerability[] }> {
  const named = ({ sbom_id, digest }: SbomReference) => ({ sbom_id, digest });
  const { body, attachment } = await world.bus.request(countFindings, {
    line_id: sbom.line_id,
    sbom: named(sbom),
    previous: typeof previous === 'string' ? previous : named(previous),
    fail_on: 'low',
    only_new: true,
  });
  return { ...body, shown: JSON.parse(gunzipSync(attachment ?? '').toString('utf8')) };
}

test('an upgrade that keeps a vulnerability does not make it new, what comes with another package is', async () => {
  const line = new TestLine(world);
  const before = await line.scanned(world.newSet('lodash@1.0.0 GHSA-1', 'left@1.0.0 GHSA-2'));
  const after = await line.scanned(world.newSet('lodash@1.1.0 GHSA-1', 'right@1.0.0 GHSA-3'));
  const found = await gate(after, before);
  expect(found).toMatchObject({ failing: 1, accepted: 0 });
  expect(found.shown).toMatchObject([{ package_name: 'right', is_new: true }]);
});

test('an advisory that came out since is not new where the version before has the package', async () => {
  const line = new TestLine(world);
  const old = world.newSet('lodash@1.0.0 GHSA-1');
  const next = world.newSet('lodash@1.0.1 GHSA-1');
  const before = await line.scanned(old);
  const after = await line.scanned(next);
  world.setScan(old, 'lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-9');
  world.setScan(next, 'lodash@1.0.1 GHSA-1', 'lodash@1.0.1 GHSA-9');
  await world.finish({ ...after, lane: 'rescan', revision: 2 });
  const found = await gate(after, before);
  expect(found.failing).toBe(0);
  expect((await gate(after, 'none')).failing).toBe(2);
});

test('a finding whose advisory has gained a CVE that the rows do not know yet is still counted', async () => {
  const line = new TestLine(world);
  const digest = world.newSet('lodash@1.0.0 GHSA-1');
  const scan = await line.scanned(digest);
  world.setScan(digest, 'lodash@1.0.0 CVE-9 GHSA-1');
  expect(await gate(scan, 'none')).toMatchObject({ failing: 1, unplaced: 0 });
});

test('what the advisories of now find and the rows do not show yet is told of', async () => {
  const line = new TestLine(world);
  const digest = world.newSet('lodash@1.0.0 GHSA-1');
  const scan = await line.scanned(digest);
  world.setScan(digest, 'lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-2');
  expect(await gate(scan, 'none')).toMatchObject({ failing: 1, unplaced: 1 });
});

test('one that is not reconciled does not pass for clean', async () => {
  const line = new TestLine(world);
  const before = await line.scanned(world.newSet('lodash@1.0.0 GHSA-1'));
  const pending = line.upload(world.newSet('lodash@1.0.0 GHSA-1'));
  for (const [sbom, previous] of [
    [pending, before],
    [before, pending],
  ] as const) {
    await expect(gate(sbom, previous)).rejects.toMatchObject({ code: 'service_unavailable' });
  }
});
