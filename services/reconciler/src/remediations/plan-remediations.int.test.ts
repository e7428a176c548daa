import {
  createAcceptance,
  judgePackageVersions,
  listAffectedComponents,
  planRemediations,
  type AffectedComponents,
  type JudgedVersions,
  type RemediationView,
} from '@bomtrail/messages';
import { handles, unpackJson } from '@bomtrail/messaging';
import { v7 as newId } from 'uuid';
import { createDeletionStore } from '../deletion/store/deletion-store';
import { finding, type FakeFinding } from '../testing/findings';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { createOpenPackageStore } from './store/open-package-store';

let harness: TestReconciler;
/** The component sets of each request, and the fixed version of each advisory. */
const listed: number[] = [];
const fixedIn = new Map<string, string>();

beforeAll(async () => {
  harness = await startReconciler();
  harness.bus.serve(
    handles(listAffectedComponents, async ({ digests }) => {
      listed.push(digests.length);
      const found: AffectedComponents = { versions: [], components: [], sets: [] };
      // As where a response is full: the rest is requested again.
      const answered = digests.slice(0, 2);
      for (const digest of answered) {
        const components = (harness.scans.get(digest) ?? []).map(({ finding: one }) => {
          const { package_key, purl, package_name, package_version, ecosystem } = one;
          const matched = { ecosystem, suffix: null, name: package_name };
          const at = found.versions.push({ ...matched, version: package_version }) - 1;
          const named = { package_key, purl, package_name, package_version, is_direct: true };
          return found.components.push({ ...named, versions: [at] }) - 1;
        });
        found.sets.push({ digest, components });
      }
      const attachment = Buffer.from(JSON.stringify(found));
      return { body: { answered: answered.length }, attachment };
    }),
  );
  harness.bus.serve(
    handles(judgePackageVersions, async ({ packages }) => {
      const advisories = [...fixedIn.keys()].map((id) => ({ id, group: id }));
      const judged: JudgedVersions = {
        advisories,
        packages: packages.slice(0, 1).map(({ names, versions }) =>
          versions.map((version) => ({
            affected: advisories.flatMap(({ id }, at) =>
              id.startsWith(`${names[0]?.name.toUpperCase()}-`) &&
              version < (fixedIn.get(id) || '~')
                ? [at]
                : [],
            ),
            undecided: [],
          })),
        ),
      };
      const attachment = Buffer.from(JSON.stringify(judged));
      return { body: { revision: 1, answered: judged.packages.length }, attachment };
    }),
  );
});
afterAll(() => harness?.stop());

/** A finding whose advisory `<PACKAGE>-<n>` is fixed in a version; `''`: in none. */
function affected(component: string, advisory: string, fixed: string): FakeFinding {
  fixedIn.set(advisory, fixed);
  const one = finding(`${component} ${advisory}`);
  return { ...one, finding: { ...one.finding, fixed_versions: fixed === '' ? [] : [fixed] } };
}

async function plan(query: { project_id?: string; service_ids?: string[]; page?: number }) {
  const request = { page: 1, per_page: 2, ...query };
  const { body, attachment } = await harness.bus.request(planRemediations, request);
  const items = (await unpackJson(attachment ?? Buffer.alloc(0))) as RemediationView[];
  return { ...body, items };
}

const lines = (items: readonly RemediationView[]): string[] =>
  items.map(({ package_name, upgrades, closes, remains }) => {
    const steps = upgrades.map(({ from, to }) => `${from.join()}>${to}`).join(' ');
    return `${package_name} ${steps} closes ${closes.total} leaves ${remains.total}`;
  });

test('the plan of a project has each package once, over all its services', async () => {
  const project_id = newId();
  const services = [1, 2, 3].map(() => new TestService(harness, project_id));
  const common = [affected('a@1.0', 'A-1', '1.1'), affected('b@1.0', 'B-1', '')];
  await services[0]?.scanned(harness.newSet(...common));
  await services[1]?.scanned(harness.newSet(...common, affected('c@2.0', 'C-1', '2.1')));
  await services[2]?.scanned(harness.newSet(affected('a@1.0.5', 'A-1', '1.1')));
  await new TestService(harness).scanned(harness.newSet(...common));

  const first = await plan({ project_id });
  expect(first).toMatchObject({ total: 3, complete: true });
  expect([first.closes.total, first.remains.total]).toEqual([4, 2]);
  expect(lines(first.items)).toEqual([
    'a 1.0,1.0.5>1.1 closes 3 leaves 0',
    'c 2.0>2.1 closes 1 leaves 0',
  ]);
  expect(first.items[0]?.service_count).toBe(3);
  const asked = listed.length;
  expect(lines((await plan({ project_id, page: 2 })).items)).toEqual([
    'b 1.0>null closes 0 leaves 2',
  ]);
  // The second page is of the same plan.
  expect(listed).toHaveLength(asked);
  expect(Math.max(...listed)).toBeGreaterThan(2);

  const { service_id = '' } = services[1] ?? {};
  const own = await plan({ service_ids: [service_id] });
  expect(lines(own.items)).toEqual(['a 1.0>1.1 closes 1 leaves 0', 'c 2.0>2.1 closes 1 leaves 0']);
  expect(await plan({ project_id: newId() })).toMatchObject({ total: 0, items: [] });
});

test('what is accepted is not planned', async () => {
  const service = new TestService(harness);
  await service.scanned(
    harness.newSet(affected('d@1.0', 'D-1', '1.1'), affected('d@1.0', 'D-2', '1.2')),
  );
  const { project_id, service_id } = service;
  expect(lines((await plan({ service_ids: [service_id] })).items)).toEqual([
    'd 1.0>1.2 closes 2 leaves 0',
  ]);
  const [accepted] = (await service.activeList()).filter(({ cve_id }) => cve_id === 'D-2');
  await harness.bus.request(createAcceptance, {
    project_id,
    service_id: null,
    vulnerability_id: accepted?.id ?? '',
    reason: 'not reachable',
    expires_at: null,
  });
  expect(lines((await plan({ service_ids: [service_id] })).items)).toEqual([
    'd 1.0>1.1 closes 1 leaves 0',
  ]);
});

test('beyond the bound the least severe are left out, and the plan says so', async () => {
  const service = new TestService(harness);
  const low = finding('f@1.0 F-1', { severity: 'low', cvss_score: null });
  await service.scanned(harness.newSet(low, affected('e@1.0', 'E-1', ''), 'e@1.0 E-2'));
  const { db } = harness;
  const database = { db, client: db.client, isUp: async () => true };
  const deletions = createDeletionStore(database);
  const { service_id } = service;
  const read = async (most: number) => {
    const store = createOpenPackageStore(database, deletions, { most });
    const { packages, complete } = await store.read({ service_ids: [service_id] });
    return [[...packages].map(([key, rows]) => `${key} ${rows.length}`), complete];
  };
  expect(await read(2)).toEqual([['npm|e 2'], false]);
  expect(await read(3)).toEqual([['npm|e 2', 'npm|f 1'], true]);
});
