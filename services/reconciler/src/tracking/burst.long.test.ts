import type { SbomVersionDocument } from './store/documents';
import type { SbomReference } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import type { ServiceStateDocument, TrackedVulnerabilityDocument } from './store/documents';
import { once, ownReconciler, type FaultPoints } from '../testing/fault-points';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { createAcceptance } from '../decisions/create-acceptance';
import { reconcileSbom } from './reconcile-sbom';

let harness: TestReconciler;
let catalog: FakeCatalog;
let client: MongoClient;
let commands: string[] = [];

beforeAll(async () => {
  harness = await startReconciler({ processes: 0 });
  catalog = fakeCatalog(harness);
  client = await new MongoClient(harness.servers.mongoUri, { monitorCommands: true }).connect();
  client.on('commandStarted', ({ command, commandName }) => {
    const of = String(command[commandName]);
    if (commandName !== 'endSessions' && of !== 'vulnerability_details')
      commands.push(of === '1' ? commandName : `${commandName} ${of}`);
  });
});
afterAll(async () => {
  await client?.close();
  await harness?.stop();
});
beforeEach(() => {
  commands = [];
  harness.beforeScanResponse = async () => {};
});

/** What takes uploads, as a process does; its commands are noted. */
function uploads(faults: FaultPoints = {}) {
  return ownReconciler({ ...harness, db: client.db(harness.db.databaseName) }, faults).batched;
}

async function isRight(service: RegisteredService): Promise<void> {
  expect(await verified(harness, { service })).toMatchObject({
    verdicts: [],
    totals: { services: 1 },
  });
}

async function stateOf({ service_id }: RegisteredService): Promise<ServiceStateDocument | null> {
  return harness.db.collection<ServiceStateDocument>('service_states').findOne({ _id: service_id });
}

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';
const texts = [
  lodash,
  axios,
  'lodash@1.1.0 GHSA-1 CVE-1',
  'vue@1.0.0 GHSA-3',
  'vue@1.0.0 GHSA-4',
  // Joins two of them.
  'vue@1.0.0 GHSA-3 GHSA-4',
];
/** Sets of a burst: each with a package more than the one before it. */
const growing = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_one, n) =>
    harness.newSet(...Array.from({ length: from + n }, (_p, p) => `p${p}@1.0.${n + 1} GHSA-${p}`)),
  );

describe('A burst of uploads to one service', () => {
  const written = ['update service_states', 'update count_totals', 'commitTransaction'];
  const looked = ['find acceptance_epochs', 'find service_states', 'find tracked_vulnerabilities'];
  const ofNext = [
    ...looked,
    ...written,
    'insert sbom_versions',
    'find acceptance_epochs',
    'insert tracked_vulnerabilities',
    'update tracked_vulnerabilities',
  ].sort();

  test.each([1, 16])(
    'of %d costs the commands of one, and moves the service state once',
    async (count) => {
      const deps = uploads();
      const service = catalog.newService();
      await reconcileSbom(deps, service.upload(harness.newSet('p0@1.0.0 GHSA-0')));
      const scans = growing(2, count).map((digest) => service.upload(digest));
      commands = [];
      await Promise.all(scans.map((scan) => reconcileSbom(deps, scan)));
      expect([...commands].sort()).toEqual(ofNext);
      expect(await stateOf(service)).toMatchObject({
        version: 2,
        head: { sbom_id: scans.at(-1)?.sbom_id },
      });
      await isRight(service);
    },
  );

  test('asks the scanner for no set but its own, also where some come later than one behind them', async () => {
    const deps = uploads();
    const service = catalog.newService();
    const scans = growing(1, 24).map((digest) => ({
      ...service.upload(digest),
      evaluated_revision: 1,
    }));
    const [early, late] = [0, 1].map((rest) => scans.filter((_one, n) => n % 2 === rest));
    await Promise.all((late ?? []).map((scan) => reconcileSbom(deps, scan)));
    harness.findingsRequests.length = 0;
    commands = [];
    await Promise.all((early ?? []).map((scan) => reconcileSbom(deps, scan)));
    expect(harness.findingsRequests.flatMap(({ digests }) => digests).sort()).toEqual(
      (early ?? []).map(({ digest }) => digest).sort(),
    );
    // Beside the next ones: are they in the SBOM versions, and who are their neighbours there?
    expect(commands.filter((command) => command === 'find sbom_versions')).toHaveLength(3);
    expect(commands).toHaveLength(11);
    await isRight(service);
  });
});

/** What a service tells of its vulnerabilities, without what is by chance: ids, and when each alert period began. */
async function reported(service: RegisteredService): Promise<unknown[]> {
  const numbers = new Map(service.sboms.map(({ sbom_id, seq }) => [sbom_id, seq]));
  const vulnerabilities = await service.documents();
  const normalize = ({
    _id,
    service_id: _l,
    project_id: _p,
    ...vulnerability
  }: TrackedVulnerabilityDocument) => ({
    ...vulnerability,
    last_seen: vulnerability.last_seen && {
      ...vulnerability.last_seen,
      sbom_id: numbers.get(vulnerability.last_seen.sbom_id),
    },
    merged_into:
      vulnerabilities.find((other) => other._id === vulnerability.merged_into)?.origin ?? null,
    alert_periods: ranked(vulnerability.alert_periods ?? {}),
    ...(vulnerability.decided ? { decided: { ...vulnerability.decided, id: '' } } : {}),
  });
  return vulnerabilities
    .map(normalize)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** Which moments are the same, and which is later. */
function ranked(
  alertPeriods: NonNullable<TrackedVulnerabilityDocument['alert_periods']>,
): Record<string, number> {
  const moments = [...new Set(Object.values(alertPeriods).map(Number))].sort((a, b) => a - b);
  return Object.fromEntries(
    Object.entries(alertPeriods).map(([name, at]) => [name, moments.indexOf(Number(at))]),
  );
}

async function versionsOf(service: RegisteredService): Promise<unknown[]> {
  const sbomVersions = harness.db
    .collection('sbom_versions')
    .find({ service_id: service.service_id });
  return (await sbomVersions.sort({ seq: 1 }).toArray()).map(({ seq, digest }) => ({
    seq,
    digest,
  }));
}

/** Waits until each of them was reported to be in the lists. */
async function arePublished(scans: readonly SbomReference[]): Promise<void> {
  const reported = () => new Set(harness.reconciled.map(({ sbom_id }) => sbom_id));
  await eventually(() => scans.every(({ sbom_id }) => reported().has(sbom_id)), {
    what: `${scans.length} SBOMs are told to be in the lists`,
  });
}

async function acceptedIn(service: RegisteredService): Promise<void> {
  const [vulnerability] = await service.documents();
  const { project_id, service_id } = service;
  const given = { project_id, service_id, vulnerability_id: vulnerability?._id ?? '' };
  await createAcceptance(ownReconciler(harness).deps, { ...given, reason: 'r', expires_at: null });
}

describe('A burst of uploads leaves what the same uploads leave one by one', () => {
  test('vulnerabilities, alert periods, SBOM versions and messages, whatever they contain, in any order, also twice', async () => {
    const sets = fc.array(fc.subarray(texts, { maxLength: 4 }), { minLength: 1, maxLength: 7 });
    const how = fc.record({
      comes: fc.func(fc.nat(99)),
      two: fc.boolean(),
      accepted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(sets, how, async (found, { comes, two, accepted }) => {
        const [unbatched, burst] = [catalog.newService(), catalog.newService()];
        const digests = found.map((some) => harness.newSet(...some));
        const first = harness.newSet(lodash);
        for (const service of [unbatched, burst]) {
          await reconcileSbom(uploads(), service.upload(first));
          if (accepted) await acceptedIn(service);
        }
        const deps = uploads();
        const one = digests.map((digest) => unbatched.upload(digest));
        const many = digests.map((digest) => burst.upload(digest));
        for (const scan of one) await reconcileSbom(deps, scan);
        const shuffled = [...many].sort((a, b) => comes(a.seq) - comes(b.seq));
        const half = two ? Math.ceil(shuffled.length / 2) : shuffled.length;
        for (const some of [shuffled.slice(0, half), shuffled])
          await Promise.all(some.map((scan) => reconcileSbom(deps, scan)));
        await arePublished([...one, ...many]);
        expect(await versionsOf(burst)).toEqual(await versionsOf(unbatched));
        // Episodes and ids follow from the order in which others come.
        if (!two) expect(await reported(burst)).toEqual(await reported(unbatched));
        await isRight(burst);
      }),
      { numRuns: 25 },
    );
  });

  test('a vulnerability that is fixed and reopened within it starts a new alert period', async () => {
    const deps = uploads();
    const service = catalog.newService();
    await reconcileSbom(deps, service.upload(harness.newSet(lodash)));
    const [before] = await service.documents();
    const scans = [harness.newSet(), harness.newSet(lodash)].map((digest) =>
      service.upload(digest),
    );
    await Promise.all(scans.map((scan) => reconcileSbom(deps, scan)));
    const [after] = await service.documents();
    expect(await stateOf(service)).toMatchObject({ version: 2 });
    expect(after?.alert_periods?.high?.getTime()).toBeGreaterThan(
      Number(before?.alert_periods?.high),
    );
  });
});

describe('Of uploads that are reconciled together', () => {
  test('one whose findings are missing, and one that was removed, do not delay the others', async () => {
    const deps = uploads();
    const service = catalog.newService();
    await reconcileSbom(deps, service.upload(harness.newSet(lodash)));
    const scans = growing(1, 4).map((digest) => service.upload(digest));
    const [unread, removed, ...others] = scans;
    if (!unread || !removed) throw new Error('There are scans.');
    harness.beforeScanResponse = async (digest) => {
      if (digest === unread.digest) throw new Error('The scanner fails.');
    };
    const { service_id, project_id } = service;
    await harness.db
      .collection<SbomVersionDocument>('sbom_versions')
      .insertOne({ _id: removed.sbom_id, service_id, project_id, removed: true });
    service.deleteSbomOf(removed.sbom_id);
    harness.reconciled.length = 0;
    const ends = await Promise.allSettled(scans.map((scan) => reconcileSbom(deps, scan)));
    expect(ends.map(({ status }) => status === 'fulfilled')).toEqual([false, true, true, true]);
    harness.beforeScanResponse = async () => {};
    await reconcileSbom(deps, unread);
    expect((await versionsOf(service)).length).toBe(2 + others.length + 1);
    await isRight(service);
  });

  test('none misses an acceptance that is given between their decision and their write', async () => {
    const service = catalog.newService();
    await reconcileSbom(uploads(), service.upload(harness.newSet(lodash)));
    const deps = uploads({ beforeSave: once(() => acceptedIn(service)) });
    const sets = [[axios], [lodash, axios], ['lodash@1.1.0 GHSA-1 CVE-1']];
    const scans = sets.map((found) => service.upload(harness.newSet(...found)));
    await Promise.all(scans.map((scan) => reconcileSbom(deps, scan)));
    expect(await service.states()).toEqual({
      'lodash GHSA-1': 'accepted',
      'axios GHSA-2': 'fixed',
    });
    await isRight(service);
  });

  test('none is older than what an advisory change has brought, or one before it', async () => {
    const deps = uploads();
    const service = catalog.newService();
    const upload = (digest: string) => ({ ...service.upload(digest), evaluated_revision: 1 });
    const [changed, other] = [harness.newSet(lodash), harness.newSet(axios)];
    // This process keeps what was right for an older revision.
    await deps.scans.read({ digest: changed, packages: null }, 1);
    harness.revisions.set(changed, 2).set(other, 2);
    harness.setScan(changed, 'lodash@1.0.0 GHSA-1 CVE-1 CVE-7');
    const scans = [upload(other), upload(changed)];
    await Promise.all(scans.map((scan) => reconcileSbom(deps, scan)));
    expect((await service.documents()).map(({ snapshot }) => snapshot?.aliases)).toContainEqual([
      'GHSA-1',
      'CVE-1',
      'CVE-7',
    ]);
    await isRight(service);
  });
});
