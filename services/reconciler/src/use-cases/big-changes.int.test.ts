import { listActive, listVulnerabilities, summariseActive } from '@bomtrail/messages';
import type { LedgerDocument, RowDocument } from '../store/documents';
import { ownReconciler, type FaultPoints, type OwnReconciler } from '../testing/fault-points';
import {
  playCatalog,
  verified,
  type PlayedCatalog,
  type RegisteredLine,
} from '../testing/played-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { bringUpToDate, reconcileSbom } from './reconcile-sbom';
import { removeSboms } from './remove-sbom';

let world: TestReconciler;
let catalog: PlayedCatalog;

beforeAll(async () => {
  world = await startReconciler();
  catalog = playCatalog(world);
}, 120_000);
afterAll(() => world?.stop());

/** So few that changes of some rows take several transactions. */
const rowsAtOnce = 2;
const numbers = [0, 1, 2, 3, 4];
const stays = 'stays@1.0.0 GHSA-99';
const older = [stays, ...numbers.map((n) => `old${n}@1.0.0 GHSA-${n}`)];
const newer = [stays, ...numbers.map((n) => `new${n}@1.0.0 GHSA-1${n}`)];

/** A change of a line that is more than one transaction; `make` makes the facts, `work` brings them into the rows. */
interface BigChange {
  what: string;
  make(line: RegisteredLine): Promise<{ work: (own: OwnReconciler) => Promise<unknown> }>;
}

const changes: BigChange[] = [
  {
    what: 'an upload with other findings',
    async make(line) {
      await line.scanned(world.newSet(...older));
      const scan = line.upload(world.newSet(...newer));
      return { work: ({ deps }) => reconcileSbom(deps, scan) };
    },
  },
  {
    what: 'the first upload',
    async make(line) {
      const scan = line.upload(world.newSet(...newer));
      return { work: ({ deps }) => reconcileSbom(deps, scan) };
    },
  },
  {
    what: 'an upload that comes late',
    async make(line) {
      await line.scanned(world.newSet(stays));
      const late = line.upload(world.newSet(...older));
      await line.scanned(world.newSet(...newer));
      return { work: ({ deps }) => reconcileSbom(deps, late) };
    },
  },
  {
    what: 'an advisory change',
    async make(line) {
      const digest = world.newSet(...older);
      const scan = await line.scanned(digest);
      world.setScan(digest, ...newer);
      world.revisions.set(digest, 2);
      const rescan = { ...scan, lane: 'rescan' as const, revision: 2 };
      return { work: ({ deps }) => bringUpToDate(deps, rescan) };
    },
  },
  {
    what: 'the removal of the newest SBOM',
    async make(line) {
      await line.scanned(world.newSet(...older));
      return removalOf(line, (await line.scanned(world.newSet(...newer))).sbom_id);
    },
  },
  {
    what: 'the removal of the only SBOM',
    async make(line) {
      return removalOf(line, (await line.scanned(world.newSet(...newer))).sbom_id);
    },
  },
];

function removalOf(line: RegisteredLine, sbom_id: string) {
  const { line_id, project_id } = line;
  line.forgetSbom(sbom_id);
  const removal = { sbom_ids: [sbom_id], line_id, project_id, settled: true };
  return { work: ({ deps }: OwnReconciler) => removeSboms(deps, removal) };
}

/** A reconciler that dies before its n-th transaction. */
function dyingAt(transaction: number) {
  let begun = 0;
  const faults: FaultPoints = {
    rowsAtOnce,
    beforeTransaction: async () => {
      if (++begun >= transaction) throw new Error('The process died.');
    },
  };
  return ownReconciler(world, faults);
}

/** Fails where anything that is stored of a line is not what follows from the facts. */
async function isRight(line: RegisteredLine): Promise<void> {
  expect(await verified(world, { line })).toMatchObject({ verdicts: [], totals: { lines: 1 } });
  const ledger = await world.db
    .collection<LedgerDocument>('ledgers')
    .findOne({ _id: line.line_id });
  expect(ledger).not.toHaveProperty('rows_behind');
}

/** Fails where lists and their totals do not fit what is stored at this moment; gives the listed packages. */
async function readAll({ line_id: service_id, project_id }: RegisteredLine): Promise<string[]> {
  const page = { page: 1, per_page: 100, order: 'asc' } as const;
  const scope = { project_id, service_id };
  const all = await world.bus.request(listVulnerabilities, {
    ...{ ...page, ...scope, sort: 'cvss_score', statuses: ['open', 'accepted', 'fixed'] },
  });
  const active = await world.bus.request(listActive, { ...page, ...scope, sort: 'cvss_score' });
  const summary = await world.bus.request(summariseActive, scope);
  const stored = await world.db
    .collection<RowDocument>('tracked_vulnerabilities')
    .countDocuments({ line_id: service_id, listed: true });
  expect(summary.body.total).toBe(stored);
  expect(active.body.total).toBe(stored);
  expect(active.body.items).toHaveLength(stored);
  expect(all.body.total).toBe(all.body.items.length);
  return active.body.items.map((one) => one.package_name);
}

describe.each(changes)('Of $what that is several transactions', ({ make }) => {
  test('each can be followed by the death of the process: whoever comes next ends it', async () => {
    let deaths = 0;
    for (let dies = 2; ; dies++) {
      const line = catalog.newLine();
      const { work } = await make(line);
      const died = await Promise.resolve(work(dyingAt(dies))).then(
        () => false,
        () => true,
      );
      await readAll(line);
      // In turns: it is repeated, or something else happens to the line before that.
      if (dies % 2 !== 0) await line.scanned(world.newSet(stays));
      await work(ownReconciler(world, { rowsAtOnce }));
      await isRight(line);
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThanOrEqual(2);
  }, 60_000);

  test('between two of them lists can be read, and what stays is in them', async () => {
    const line = catalog.newLine();
    const { work } = await make(line);
    const isListed = async (): Promise<boolean> => (await readAll(line)).includes('stays');
    const was = await isListed();
    const seen: boolean[] = [];
    const reading = ownReconciler(world, {
      rowsAtOnce,
      beforeTransaction: async () => void seen.push(await isListed()),
    });
    await work(reading);
    const is = await isListed();
    expect(seen.length).toBeGreaterThanOrEqual(3);
    if (was && is) expect(seen).not.toContain(false);
    await isRight(line);
  });

  test('two processes that do it at once come to the same end', async () => {
    const line = catalog.newLine();
    const { work } = await make(line);
    const one = ownReconciler(world, { rowsAtOnce });
    const two = ownReconciler(world, { rowsAtOnce });
    await Promise.all([work(one), work(two)]);
    await isRight(line);
  });
});

test('a check takes a change that is being written for work, and one that was abandoned for wrong until it is repaired', async () => {
  const line = catalog.newLine();
  await line.scanned(world.newSet(...older));
  const scan = line.upload(world.newSet(...newer));
  await expect(reconcileSbom(dyingAt(2).deps, scan)).rejects.toThrow('died');
  const look = { line, patienceMs: 0 };
  expect(await verified(world, look)).toMatchObject({ totals: { undecided: 1, differing: 0 } });
  const ledgers = world.db.collection<LedgerDocument>('ledgers');
  const longAgo = new Date(Date.now() - 60_000);
  await ledgers.updateOne({ _id: line.line_id }, { $set: { 'rows_behind.at': longAgo } });
  expect(await verified(world, look)).toMatchObject({ totals: { undecided: 0, differing: 1 } });
  expect(await verified(world, { ...look, repair: true })).toMatchObject({
    totals: { differing: 1, repaired: 1 },
  });
  await isRight(line);
});
