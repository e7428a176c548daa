import { TestService } from '../testing/service';
import { costOf, type Cost } from '../testing/profiled';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler();
});
afterAll(() => harness?.stop());

/** Those that sweeps leave alone meanwhile. */
const collections = [
  'service_states',
  'sbom_versions',
  'tracked_vulnerabilities',
  'known_projects',
  'count_totals',
];
const packages = Array.from({ length: 20 }, (_one, n) => `p${n}@1.0.0 GHSA-${n}`);

/** What one more upload costs a service that has as many. */
async function costOfUpload(service: TestService, digest: string): Promise<Cost> {
  return costOf(harness.db, collections, () => service.scanned(digest));
}

describe('The usual step of an upload', () => {
  test('that changes nothing writes the service state and an SBOM version, and reads no vulnerability', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(...packages);
    await service.scanned(digest);
    const { written, examined } = await costOfUpload(service, digest);
    expect(examined['tracked_vulnerabilities']).toBe(0);
    expect(written).toEqual({
      service_states: 1,
      sbom_versions: 1,
      tracked_vulnerabilities: 0,
      known_projects: 0,
      count_totals: 0,
    });
  });

  test('asks once about decisions and documents of its project, and reads none if there are none', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet(...packages);
    await service.scanned(digest);
    const asked = [
      'acceptance_epochs',
      'acceptances',
      'service_states',
      'vex_documents',
      'vex_evaluations',
      'vex_revisions',
    ];
    const { requests } = await costOf(harness.db, asked, () => service.scanned(digest));
    expect(requests).toEqual({
      acceptance_epochs: 1,
      acceptances: 0,
      service_states: 2,
      vex_documents: 0,
      vex_evaluations: 0,
      vex_revisions: 0,
    });
  });

  test('reads the vulnerabilities of packages with other findings, and no others; writes those that change', async () => {
    const service = new TestService(harness);
    await service.scanned(harness.newSet(...packages));
    const next = harness.newSet(...packages.slice(2), 'new@1.0.0 GHSA-99');
    const { written, examined } = await costOfUpload(service, next);
    // Two are read, and found again by their update.
    expect(examined['tracked_vulnerabilities']).toBe(4);
    expect(written).toMatchObject({
      service_states: 1,
      sbom_versions: 1,
      tracked_vulnerabilities: 3,
    });
  });

  test('reads and writes as many documents after thirty versions as after four', async () => {
    const service = new TestService(harness);
    const sets = [harness.newSet(...packages), harness.newSet(...packages.slice(1))];
    for (let version = 0; version < 4; version++) await service.scanned(sets[version % 2] ?? '');
    const early = await costOfUpload(service, sets[0] ?? '');
    for (let version = 0; version < 27; version++) await service.scanned(sets[version % 2] ?? '');
    const late = await costOfUpload(service, sets[1] ?? '');
    expect(late.written).toEqual(early.written);
    for (const name of ['sbom_versions', 'tracked_vulnerabilities']) {
      expect(late.examined[name]).toBe(early.examined[name]);
    }
    expect(late.examined['tracked_vulnerabilities']).toBeLessThanOrEqual(2 * packages.length);
  });
});
