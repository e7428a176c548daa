import { gunzipSync } from 'node:zlib';
import {
  countFindings,
  listActive,
  listSbomVulnerabilities,
  listVulnerabilities,
  summariseActive,
  type BriefVulnerability,
} from '@bomtrail/messages';
import type { ServiceStateDocument, TrackedVulnerabilityDocument } from './store/documents';
import { ownReconciler, type FaultPoints, type OwnReconciler } from '../testing/fault-points';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredService,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { bringUpToDate, reconcileSbom } from './reconcile-sbom';
import { removeSboms } from './remove-sbom';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler();
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

/** So few that changes of some vulnerabilities take several transactions. */
const vulnerabilitiesAtOnce = 2;
const stays = 'stays@1.0.0 GHSA-99';
const numbered = (count: number) => Array.from({ length: count }, (_, n) => n);
const older = (count: number) => [stays, ...numbered(count).map((n) => `old${n}@1.0.0 GHSA-${n}`)];
const newer = (count: number) => [stays, ...numbered(count).map((n) => `new${n}@1.0.0 GHSA-1${n}`)];

/** A change of a service that is more than one transaction; `make` makes the facts, `work` brings them into the vulnerabilities. */
interface BigChange {
  what: string;
  make(
    service: RegisteredService,
    count: number,
  ): Promise<{ work: (own: OwnReconciler) => Promise<unknown> }>;
}

const changes: BigChange[] = [
  {
    what: 'an upload with other findings',
    async make(service, count) {
      await service.scanned(harness.newSet(...older(count)));
      const scan = service.upload(harness.newSet(...newer(count)));
      return { work: ({ deps }) => reconcileSbom(deps, scan) };
    },
  },
  {
    what: 'the first upload',
    async make(service, count) {
      const scan = service.upload(harness.newSet(...newer(count)));
      return { work: ({ deps }) => reconcileSbom(deps, scan) };
    },
  },
  {
    what: 'an upload that comes late',
    async make(service, count) {
      await service.scanned(harness.newSet(stays));
      const late = service.upload(harness.newSet(...older(count)));
      await service.scanned(harness.newSet(...newer(count)));
      return { work: ({ deps }) => reconcileSbom(deps, late) };
    },
  },
  {
    what: 'an advisory change',
    async make(service, count) {
      const digest = harness.newSet(...older(count));
      const scan = await service.scanned(digest);
      harness.setScan(digest, ...newer(count));
      harness.revisions.set(digest, 2);
      const rescan = { ...scan, lane: 'rescan' as const, revision: 2 };
      return { work: ({ deps }) => bringUpToDate(deps, rescan) };
    },
  },
  {
    what: 'the removal of the newest SBOM',
    async make(service, count) {
      await service.scanned(harness.newSet(...older(count)));
      return removalOf(service, (await service.scanned(harness.newSet(...newer(count)))).sbom_id);
    },
  },
  {
    what: 'the removal of the only SBOM',
    async make(service, count) {
      return removalOf(service, (await service.scanned(harness.newSet(...newer(count)))).sbom_id);
    },
  },
];

function removalOf(service: RegisteredService, sbom_id: string) {
  const { service_id, project_id } = service;
  service.deleteSbomOf(sbom_id);
  const removal = { sbom_ids: [sbom_id], service_id, project_id, finished: true };
  return { work: ({ deps }: OwnReconciler) => removeSboms(deps, removal) };
}

/** How a service is changed that is too large for one transaction, or even for memory. */
const sizes = [
  {
    size: 'several transactions',
    count: 5,
    vulnerabilitiesRead: undefined,
    findingsPerResponse: Number.POSITIVE_INFINITY,
  },
  {
    size: 'several parts, as it does not fit into memory',
    count: 2,
    vulnerabilitiesRead: 1,
    findingsPerResponse: 1,
  },
];
const cases = sizes.flatMap((size) => changes.map((change) => ({ ...size, ...change })));

/** A reconciler that dies before its n-th transaction. */
function dyingAt(transaction: number, vulnerabilitiesRead?: number) {
  let begun = 0;
  const faults: FaultPoints = {
    vulnerabilitiesAtOnce,
    ...(vulnerabilitiesRead !== undefined && { vulnerabilitiesRead }),
    beforeTransaction: async () => {
      if (++begun >= transaction) throw new Error('The process died.');
    },
  };
  return ownReconciler(harness, faults);
}

/** Fails where anything that is stored of a service is not what follows from the facts. */
async function isRight(service: RegisteredService): Promise<void> {
  expect(await verified(harness, { service })).toMatchObject({
    verdicts: [],
    totals: { services: 1 },
  });
  const state = await harness.db
    .collection<ServiceStateDocument>('service_states')
    .findOne({ _id: service.service_id });
  expect(state).not.toHaveProperty('pending_updates');
}

/** Fails where lists and their totals do not fit what is stored at this moment; gives the listed packages. */
async function readAll({ service_id, project_id }: RegisteredService): Promise<string[]> {
  const page = { page: 1, per_page: 100, order: 'asc' } as const;
  const scope = { project_id, service_id };
  const all = await harness.bus.request(listVulnerabilities, {
    ...page,
    ...scope,
    sort: 'cvss_score',
    statuses: ['open', 'accepted', 'fixed'],
  });
  const active = await harness.bus.request(listActive, { ...page, ...scope, sort: 'cvss_score' });
  const summary = await harness.bus.request(summariseActive, scope);
  const stored = await harness.db
    .collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities')
    .countDocuments({ service_id: service_id, status: 'open' });
  expect(summary.body.total).toBe(stored);
  expect(active.body.total).toBe(stored);
  expect(active.body.items).toHaveLength(stored);
  expect(all.body.total).toBe(all.body.items.length);
  return active.body.items.map((one) => one.package_name);
}

describe.each(cases)(
  'Of $what that is $size',
  ({ make, vulnerabilitiesRead, findingsPerResponse, count }) => {
    const usual = {
      vulnerabilitiesAtOnce,
      ...(vulnerabilitiesRead !== undefined && { vulnerabilitiesRead }),
    };
    beforeAll(() => {
      harness.findingsPerResponse = findingsPerResponse;
      harness.findingWeight = 2_000;
    });
    afterAll(() => {
      harness.findingsPerResponse = Number.POSITIVE_INFINITY;
      harness.findingWeight = 1;
    });

    test('the process may end after each part: the next one finishes the change', async () => {
      let deaths = 0;
      for (let dies = 2; ; dies++) {
        const service = catalog.newService();
        const { work } = await make(service, count);
        const died = await Promise.resolve(work(dyingAt(dies, vulnerabilitiesRead))).then(
          () => false,
          () => true,
        );
        await readAll(service);
        // In turns: it is repeated, or something else happens to the service before that.
        if (dies % 2 !== 0) await service.scanned(harness.newSet(stays));
        await work(ownReconciler(harness, usual));
        await isRight(service);
        if (!died) break;
        deaths += 1;
      }
      expect(deaths).toBeGreaterThanOrEqual(2);
    });

    test('between two of them lists can be read, and what stays is in them', async () => {
      const service = catalog.newService();
      const { work } = await make(service, count);
      const isOpen = async (): Promise<boolean> => (await readAll(service)).includes('stays');
      const was = await isOpen();
      const seen: boolean[] = [];
      const reading = ownReconciler(harness, {
        ...usual,
        beforeTransaction: async () => void seen.push(await isOpen()),
      });
      await work(reading);
      const is = await isOpen();
      expect(seen.length).toBeGreaterThanOrEqual(3);
      if (was && is) expect(seen).not.toContain(false);
      await isRight(service);
    });

    test('two processes that do it at once come to the same end', async () => {
      const service = catalog.newService();
      const { work } = await make(service, count);
      const one = ownReconciler(harness, usual);
      const two = ownReconciler(harness, usual);
      await Promise.all([work(one), work(two)]);
      await isRight(service);
    });
  },
);

test.each([
  { of: 'this release', next: 'has begun' },
  { of: 'an earlier release', next: 'is complete' },
])(
  'a process that is late with a change of $of does nothing if the next one $next',
  async ({ of, next }) => {
    harness.findingsPerResponse = 1;
    harness.findingWeight = 2_000;
    const usual = { vulnerabilitiesAtOnce, vulnerabilitiesRead: 1 };
    const service = catalog.newService();
    await service.scanned(harness.newSet(stays));
    const first = service.upload(harness.newSet(...older(2)));
    const second = service.upload(harness.newSet(...newer(2)));
    await expect(reconcileSbom(dyingAt(2, 1).deps, first)).rejects.toThrow('died');
    if (of === 'an earlier release')
      await harness.db
        .collection<ServiceStateDocument>('service_states')
        .updateOne({ _id: service.service_id }, { $unset: { 'pending_updates.began': true } });
    const [isHeld, held] = signal();
    const [isReleased, release] = signal();
    const { deps } = ownReconciler(harness, usual);
    const packageCounts: typeof deps.states.packageCounts = async (serviceId) => {
      held();
      await isReleased;
      return deps.states.packageCounts(serviceId);
    };
    const late = reconcileSbom({ ...deps, states: { ...deps.states, packageCounts } }, first);
    await isHeld;
    await reconcileSbom(ownReconciler(harness, usual).deps, first);
    if (next === 'is complete') await reconcileSbom(ownReconciler(harness, usual).deps, second);
    else await expect(reconcileSbom(dyingAt(2, 1).deps, second)).rejects.toThrow('died');
    release();
    await late;
    await reconcileSbom(ownReconciler(harness, usual).deps, second);
    harness.findingsPerResponse = Number.POSITIVE_INFINITY;
    harness.findingWeight = 1;
    await isRight(service);
  },
);

/** A promise and how to resolve it. */
function signal(): [Promise<void>, () => void] {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return [promise, resolve];
}

test('a check takes a change that is being written for work, and one that was abandoned for wrong until it is repaired', async () => {
  const service = catalog.newService();
  await service.scanned(harness.newSet(...older(5)));
  const scan = service.upload(harness.newSet(...newer(5)));
  await expect(reconcileSbom(dyingAt(2).deps, scan)).rejects.toThrow('died');
  const check = { service, patienceMs: 0 };
  expect(await verified(harness, check)).toMatchObject({ totals: { undecided: 1, differing: 0 } });
  const states = harness.db.collection<ServiceStateDocument>('service_states');
  const longAgo = new Date(Date.now() - 60_000);
  await states.updateOne({ _id: service.service_id }, { $set: { 'pending_updates.at': longAgo } });
  expect(await verified(harness, check)).toMatchObject({ totals: { undecided: 0, differing: 1 } });
  expect(await verified(harness, { ...check, repair: true })).toMatchObject({
    totals: { differing: 1, repaired: 1 },
  });
  await isRight(service);
});

test('the vulnerabilities and the verdict of an SBOM are the same, read whole or in parts', async () => {
  const service = catalog.newService();
  const previous = await service.scanned(harness.newSet(...older(5)));
  // Several versions of a package, and several pages of one package.
  const versions = ['1.0.0', '1.1.0', '1.2.0'].map((version) => `many@${version} GHSA-7`);
  const { sbom_id, digest, seq } = await service.scanned(harness.newSet(...newer(5), ...versions));
  const { service_id } = service;
  const read = async () => {
    const requested = { sbom_id, service_id, seq, digest };
    const { body, attachment } = await harness.bus.request(listSbomVulnerabilities, requested);
    const open = JSON.parse(
      gunzipSync(attachment as Uint8Array).toString(),
    ) as BriefVulnerability[];
    const verdict = await harness.bus.request(countFindings, {
      service_id,
      sbom: { sbom_id, digest },
      fail_on: 'low',
      only_new: true,
      baseline: { sbom_id: previous.sbom_id, digest: previous.digest },
    });
    const failing = JSON.parse(gunzipSync(verdict.attachment as Uint8Array).toString()) as unknown;
    const text = open.map((one) => JSON.stringify(one)).sort();
    return { count: body.count, text, verdict: verdict.body, failing };
  };
  const whole = await read();
  expect(whole.count).toBe(newer(5).length + 1);
  harness.findingsPerResponse = 1;
  harness.findingWeight = 2_000;
  const inParts = await read();
  harness.findingsPerResponse = Number.POSITIVE_INFINITY;
  harness.findingWeight = 1;
  expect(inParts).toEqual(whole);
});
