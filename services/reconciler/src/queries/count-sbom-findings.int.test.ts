import { gunzipSync } from 'node:zlib';
import {
  countFindings,
  type FailingVulnerability,
  type FindingCounts,
  type SbomReference,
} from '@bomtrail/messages';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

async function gate(
  sbom: SbomReference,
  baseline: SbomReference | 'none' | 'unknown',
): Promise<FindingCounts & { snapshot: FailingVulnerability[] }> {
  const named = ({ sbom_id, digest }: SbomReference) => ({ sbom_id, digest });
  const { body, attachment } = await harness.bus.request(countFindings, {
    service_id: sbom.service_id,
    sbom: named(sbom),
    baseline: typeof baseline === 'string' ? baseline : named(baseline),
    fail_on: 'low',
    only_new: true,
  });
  return { ...body, snapshot: JSON.parse(gunzipSync(attachment ?? '').toString('utf8')) };
}

test('an upgrade that keeps a vulnerability does not make it new, what comes with another package is', async () => {
  const service = new TestService(harness);
  const before = await service.scanned(harness.newSet('lodash@1.0.0 GHSA-1', 'left@1.0.0 GHSA-2'));
  const after = await service.scanned(harness.newSet('lodash@1.1.0 GHSA-1', 'right@1.0.0 GHSA-3'));
  const found = await gate(after, before);
  expect(found).toMatchObject({ failing: 1, accepted: 0 });
  expect(found.snapshot).toMatchObject([{ package_name: 'right', is_new: true }]);
});

test('an advisory that came out since is not new where the baseline has the package', async () => {
  const service = new TestService(harness);
  const old = harness.newSet('lodash@1.0.0 GHSA-1');
  const next = harness.newSet('lodash@1.0.1 GHSA-1');
  const before = await service.scanned(old);
  const after = await service.scanned(next);
  harness.setScan(old, 'lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-9');
  harness.setScan(next, 'lodash@1.0.1 GHSA-1', 'lodash@1.0.1 GHSA-9');
  await harness.finish({ ...after, lane: 'rescan', revision: 2 });
  const found = await gate(after, before);
  expect(found.failing).toBe(0);
  expect((await gate(after, 'none')).failing).toBe(2);
});

test('a finding whose advisory has gained a CVE that the vulnerabilities do not know yet is still counted', async () => {
  const service = new TestService(harness);
  const digest = harness.newSet('lodash@1.0.0 GHSA-1');
  const scan = await service.scanned(digest);
  harness.setScan(digest, 'lodash@1.0.0 CVE-9 GHSA-1');
  expect(await gate(scan, 'none')).toMatchObject({ failing: 1, untracked: 0 });
});

test('findings of the current advisories without a tracked vulnerability are reported', async () => {
  const service = new TestService(harness);
  const digest = harness.newSet('lodash@1.0.0 GHSA-1');
  const scan = await service.scanned(digest);
  harness.setScan(digest, 'lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-2');
  expect(await gate(scan, 'none')).toMatchObject({ failing: 1, untracked: 1 });
});

describe('an accepted vulnerability', () => {
  /** A service whose only vulnerability was accepted for GHSA-1 before GHSA-2 joined it. */
  async function accepted() {
    const service = new TestService(harness);
    const digest = harness.newSet('lodash@1.0.0 GHSA-1');
    const scan = await service.scanned(digest);
    const [vulnerability] = await service.documents();
    await service.accept(vulnerability);
    let revision = 1;
    return {
      scan,
      find: (...findings: string[]) => harness.setScan(digest, ...findings),
      reconcile: () => harness.finish({ ...scan, lane: 'rescan', revision: (revision += 1) }),
    };
  }
  const both = ['lodash@1.0.0 GHSA-1', 'lodash@1.0.0 GHSA-2'];
  const batched = 'lodash@1.0.0 GHSA-1 GHSA-2';

  test('does not hide what is another one since a moment ago', async () => {
    const { scan, find, reconcile } = await accepted();
    find(batched);
    await reconcile();
    expect(await gate(scan, 'none')).toMatchObject({ accepted: 1, failing: 0, untracked: 0 });
    find(...both);
    expect((await gate(scan, 'none')).untracked).toBeGreaterThan(0);
    await reconcile();
    const apart = await gate(scan, 'none');
    expect(apart).toMatchObject({ accepted: 1, failing: 1, untracked: 0 });
    expect(apart.snapshot).toMatchObject([{ cve_id: 'GHSA-2' }]);
  });

  test('does not hide what it represented in the past', async () => {
    const { scan, find, reconcile } = await accepted();
    find(batched);
    await reconcile();
    find('lodash@1.0.0 GHSA-1');
    await reconcile();
    expect(await gate(scan, 'none')).toMatchObject({ accepted: 1, failing: 0, untracked: 0 });
    find(...both);
    expect(await gate(scan, 'none')).toMatchObject({ accepted: 1, failing: 0, untracked: 1 });
  });

  test('stays accepted while it gains a CVE that the vulnerabilities do not know yet', async () => {
    const { scan, find } = await accepted();
    find('lodash@1.0.0 CVE-9 GHSA-1');
    expect(await gate(scan, 'none')).toMatchObject({ accepted: 1, failing: 0, untracked: 0 });
  });
});

test.each([
  ['only the older one', 'GHSA-1', 'GHSA-2'],
  ['only the younger one', 'GHSA-2', 'GHSA-1'],
])(
  'a baseline that had, of two that come apart, %s does not make the other one old',
  async (_title, had, has) => {
    const service = new TestService(harness);
    const old = harness.newSet('lodash@1.0.0 GHSA-1 GHSA-2');
    const next = harness.newSet('lodash@1.1.0 GHSA-1 GHSA-2');
    const before = await service.scanned(old);
    const after = await service.scanned(next);
    expect(await gate(after, before)).toMatchObject({ failing: 0, untracked: 0 });
    harness.setScan(old, `lodash@1.0.0 ${had}`);
    harness.setScan(next, `lodash@1.1.0 ${has}`);
    expect((await gate(after, before)).untracked).toBeGreaterThan(0);
    await harness.finish({ ...after, lane: 'rescan', revision: 2 });
    expect(await gate(after, before)).toMatchObject({ failing: 1, untracked: 0 });
  },
);

test('one that is not reconciled does not pass for clean', async () => {
  const service = new TestService(harness);
  const before = await service.scanned(harness.newSet('lodash@1.0.0 GHSA-1'));
  const pending = service.upload(harness.newSet('lodash@1.0.0 GHSA-1'));
  for (const [sbom, baseline] of [
    [pending, before],
    [before, pending],
  ] as const) {
    await expect(gate(sbom, baseline)).rejects.toMatchObject({ code: 'service_unavailable' });
  }
});
