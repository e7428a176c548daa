import { createAcceptance, type SbomReference } from '@bomtrail/messages';
import { sequence, shuffled } from '@bomtrail/testkit';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

/** Orders that are tried at once, each with a package and ids of its own. */
const ORDERS = Number(process.env['BOMTRAIL_TEST_ALIAS_ORDERS'] ?? 100);
/** Ids that are accepted through, one by one. */
const ACCEPTED = 10;

/** The records of one vulnerability: `CVE-1` and `CVE-2` match no package themselves. */
const RECORDS = ['GHSA-1 CVE-1', 'TEST-1 GHSA-1', 'OSV-1 CVE-2', 'CVE-2 CVE-1', 'CVE-1'];
const matches = (name: string): boolean => !name.startsWith('CVE');

/** What the scanner finds in a component once these records are loaded: each group is one finding. */
function findings(component: string, records: readonly string[]): string[] {
  let groups: Set<string>[] = [];
  for (const record of records) {
    const names = new Set(record.split(' '));
    const met = groups.filter((group) => [...group].some((name) => names.has(name)));
    groups = [
      ...groups.filter((group) => !met.includes(group)),
      new Set([...names, ...met.flatMap((group) => [...group])]),
    ];
  }
  const loaded = new Set(records.map((record) => record.split(' ')[0] ?? ''));
  return groups
    .map((group) => [...group].sort())
    .filter((names) => names.some((name) => matches(name) && loaded.has(name)))
    .map((names) => [component, ...names].join(' '));
}

test(`the aliases of one vulnerability, told in ${ORDERS} random orders by re-scans and uploads, are one row, and every id ever shown stands for it`, async () => {
  const random = sequence(20_260_102);
  const packages = Array.from({ length: ORDERS }, (_, index) => ({
    name: `package-${String(index).padStart(5, '0')}`,
    order: shuffled(RECORDS, random).map((record) => record.replace(/(?= |$)/g, `-${index}`)),
    loaded: 0,
  }));
  const service = new TestService(harness);
  const older = harness.newSet();
  const newer = harness.newSet();
  const publishRescan = (): void => {
    const found = (version: string): string[] =>
      packages.flatMap(({ name, order, loaded }) =>
        findings(`${name}@${version}`, order.slice(0, loaded)),
      );
    harness.setScan(older, ...found('1.0.0'));
    harness.setScan(newer, ...found('1.1.0'));
  };
  const snapshot = new Map<string, string>();
  const remember = async (): Promise<void> => {
    for (const { _id, status, snapshot: now } of await service.documents())
      if (status === 'open' || status === 'fixed') snapshot.set(_id, now?.package_name ?? '');
  };

  let scan: SbomReference | null = null;
  for (let step = 1; step <= 2 * RECORDS.length; step++) {
    for (const one of packages)
      if (random(2) === 0) one.loaded = Math.min(one.loaded + 1, RECORDS.length);
    publishRescan();
    if (scan === null || random(3) === 0) scan = await service.scanned(random(2) ? newer : older);
    else await harness.finish({ ...scan, lane: 'rescan', revision: step });
    await remember();
  }
  for (const one of packages) one.loaded = RECORDS.length;
  publishRescan();
  await harness.finish({ ...(scan as SbomReference), lane: 'rescan', revision: 100 });
  await remember();

  const documents = await service.documents();
  const data_status = documents.filter(({ status }) => status !== 'merged');
  expect(data_status.map(({ snapshot: now }) => now?.package_name).sort()).toEqual(
    packages.map(({ name }) => name),
  );
  const [stored, recomputed] = await service.storedAndRecomputed();
  expect(stored).toEqual(recomputed);

  const byId = new Map(documents.map((vulnerability) => [vulnerability._id, vulnerability]));
  const standFor = (id: string): string | undefined => {
    const vulnerability = byId.get(id);
    return vulnerability?.merged_into
      ? standFor(vulnerability.merged_into)
      : vulnerability?.snapshot?.package_name;
  };
  const wrong = [...snapshot].filter(([id, name]) => standFor(id) !== name);
  expect(wrong).toEqual([]);
  expect(snapshot.size).toBeGreaterThan(ORDERS * 1.3);

  const gone = [...snapshot].filter(([id]) => byId.get(id)?.status === 'merged').slice(0, ACCEPTED);
  expect(gone).toHaveLength(ACCEPTED);
  for (const [vulnerability_id] of gone) {
    const scope = { project_id: service.project_id, service_id: null };
    await harness.bus
      .request(createAcceptance, {
        ...scope,
        vulnerability_id,
        reason: 'r',
        expires_at: null,
      })
      // Two of the ids may stand for one vulnerability by now.
      .catch((error: { code?: string }) => expect(error.code).toBe('acceptance_exists'));
  }
  const accepted = (await service.documents()).filter(({ status }) => status === 'accepted');
  expect(new Set(accepted.map(({ snapshot: now }) => now?.package_name))).toEqual(
    new Set(gone.map(([, name]) => name)),
  );
});
