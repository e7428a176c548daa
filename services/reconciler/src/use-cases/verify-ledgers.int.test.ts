import { removeSbom, scannerUploads, type SbomReference } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { LedgerDocument, LogDocument, RowDocument } from '../store/documents';
import { accept } from '../testing/forgetting';
import {
  playCatalog,
  verified,
  type PlayedCatalog,
  type RegisteredLine,
} from '../testing/played-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let world: TestReconciler;
let catalog: PlayedCatalog;

beforeAll(async () => {
  world = await startReconciler({ processes: 2 });
  catalog = playCatalog(world);
}, 120_000);
afterEach(() => {
  world.beforeScanAnswer = async () => {};
  catalog.standing = { settled: true, announced: true };
});
afterAll(() => world?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1';
const axios = 'axios@0.1.0 GHSA-2';
const vue = 'vue@1.0.0 GHSA-3';

const rows = () => world.db.collection<RowDocument>('tracked_vulnerabilities');
const log = () => world.db.collection<LogDocument>('sbom_log');
const ledgers = () => world.db.collection<LedgerDocument>('ledgers');

interface Told {
  line: RegisteredLine;
  uploads: SbomReference[];
  row: (status: string) => RowDocument;
}

/** A service with an open, a fixed, an accepted and a merged row. */
async function toldLine(): Promise<Told> {
  const line = catalog.newLine();
  const first = world.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1', axios);
  const uploads = [await line.scanned(first)];
  world.setScan(first, lodash, axios);
  world.revisions.set(first, 2);
  await world.finish({ ...(uploads[0] as SbomReference), lane: 'rescan', revision: 2 });
  for (const found of [[lodash], [lodash, vue]]) {
    const digest = world.newSet(...found);
    world.revisions.set(digest, 2);
    uploads.push(await line.scanned(digest));
  }
  await accept(world, line, { service: true });
  const documents = await line.documents();
  const row = (status: string): RowDocument => {
    const found = documents.find((document) => document.status === status);
    if (!found) throw new Error(`There is no row that is ${status}.`);
    return found;
  };
  for (const status of ['open', 'fixed', 'accepted', 'merged']) row(status);
  return { line, uploads, row };
}

/** All that is stored of a line, without what counts its writes. */
async function storedOf({ line_id }: RegisteredLine): Promise<unknown> {
  const ledger = await ledgers().findOne({ _id: line_id });
  const { version: _version, listed_version: _counted, ...rest } = ledger ?? ({} as LedgerDocument);
  return {
    ledger: rest,
    rows: await rows().find({ line_id }).sort({ _id: 1 }).toArray(),
    log: await log().find({ line_id }).sort({ _id: 1 }).toArray(),
  };
}

type Corruption = (told: Told) => Promise<unknown>;

/** What is done, and the differences that are to be told, by kind. */
const corruptions: [string, Corruption, string[]][] = [
  [
    'a state that was changed',
    ({ row }) => rows().updateOne({ _id: row('fixed')._id }, { $set: { status: 'open' } }),
    ['row-differs'],
  ],
  [
    'an acceptance that the rows do not show',
    ({ row }) =>
      rows().updateOne({ _id: row('accepted')._id }, { $set: { status: 'open', listed: true } }),
    ['row-differs', 'counters-differ'],
  ],
  [
    'runs that were changed',
    ({ row }) =>
      rows().updateOne({ _id: row('fixed')._id }, { $set: { runs: [{ from: 1, to: 2 }] } }),
    ['row-differs'],
  ],
  [
    'runs without end in a row that is fixed',
    ({ row }) => rows().updateOne({ _id: row('fixed')._id }, { $set: { 'runs.0.to': null } }),
    ['row-differs'],
  ],
  [
    'a severity that was changed',
    ({ row }) =>
      rows().updateOne(
        { _id: row('open')._id },
        { $set: { 'shown.severity': 'low', severity: 'low', severity_rank: 2 } },
      ),
    ['row-differs', 'counters-differ'],
  ],
  [
    'a state that does not exist',
    ({ row }) => rows().updateOne({ _id: row('open')._id }, { $set: { status: 'gone' as 'open' } }),
    ['row-differs'],
  ],
  [
    'a row that is not in the lists',
    ({ row }) => rows().updateOne({ _id: row('open')._id }, { $set: { listed: false } }),
    ['row-not-as-listed', 'counters-differ'],
  ],
  [
    'a wrong place in the order of the lists',
    ({ row }) => rows().updateOne({ _id: row('open')._id }, { $set: { score_sort: 1 } }),
    ['row-not-as-listed'],
  ],
  [
    'a row of another project',
    ({ row }) => rows().updateOne({ _id: row('open')._id }, { $set: { project_id: newId() } }),
    ['row-not-as-listed'],
  ],
  [
    'counters that are off',
    ({ line }) => ledgers().updateOne({ _id: line.line_id }, { $inc: { 'listed.high': 3 } }),
    ['counters-differ'],
  ],
  [
    'a newest SBOM that is off',
    ({ line, uploads }) =>
      ledgers().updateOne({ _id: line.line_id }, { $set: { 'head.sbom_id': uploads[0]?.sbom_id } }),
    ['head-differs'],
  ],
  [
    'a revision that is not in force yet',
    ({ line }) => ledgers().updateOne({ _id: line.line_id }, { $set: { revision: 99 } }),
    ['ledger-differs'],
  ],
  [
    'a row that was merged into itself',
    ({ row }) =>
      rows().updateOne({ _id: row('merged')._id }, { $set: { merged_into: row('merged')._id } }),
    ['row-differs'],
  ],
  [
    'a row that was merged into one that is not there',
    ({ row }) => rows().updateOne({ _id: row('merged')._id }, { $set: { merged_into: newId() } }),
    ['row-differs'],
  ],
  [
    'a row that was merged into one of another package',
    ({ row }) =>
      rows().updateOne({ _id: row('merged')._id }, { $set: { merged_into: row('fixed')._id } }),
    ['row-differs'],
  ],
  [
    'a place in the log that is off',
    ({ uploads }) => log().updateOne({ _id: uploads[1]?.sbom_id ?? '' }, { $set: { seq: 7 } }),
    ['log-entry-differs'],
  ],
];

describe('What is wrong in the rows, the log or the ledger of a line', () => {
  test.each(corruptions)(
    '%s is found, repaired, and then as it was',
    async (_what, corrupt, kinds) => {
      const told = await toldLine();
      const before = await storedOf(told.line);
      expect((await verified(world, { line: told.line })).verdicts).toEqual([]);
      await corrupt(told);
      const found = await verified(world, { line: told.line });
      const differences = found.verdicts.flatMap((verdict) => verdict.differences);
      expect(differences.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
      expect(found).toMatchObject({
        totals: { lines: 1, differing: 1, repaired: 0, undecided: 0 },
      });
      const repaired = await verified(world, { line: told.line, repair: true });
      expect(repaired.verdicts).toMatchObject([{ repair: { did: 'recomputed', left: [] } }]);
      expect((await verified(world, { line: told.line })).verdicts).toEqual([]);
      expect(await storedOf(told.line)).toEqual(before);
    },
  );
});

/** Repairs a line and gives what was told; fails where it does not end well or is not clean afterwards. */
async function mended(line: RegisteredLine, did = 'recomputed'): Promise<string[]> {
  const found = await verified(world, { line });
  expect(found.totals).toMatchObject({ differing: 1, undecided: 0 });
  const { verdicts } = await verified(world, { line, repair: true });
  expect(verdicts).toMatchObject([{ repair: { did, left: [] } }]);
  expect((await verified(world, { line })).verdicts).toEqual([]);
  return found.verdicts.flatMap(({ differences }) => differences.map(({ kind }) => kind)).sort();
}

describe('What is missing, or too much', () => {
  test('a row that was deleted comes back, under another id', async () => {
    const { line, row } = await toldLine();
    await rows().deleteOne({ _id: row('fixed')._id });
    expect(await mended(line)).toEqual(['row-missing']);
    expect(await line.states()).toMatchObject({ 'axios GHSA-2': 'fixed' });
  });

  test('a second row for a vulnerability is merged into the older one', async () => {
    const { line, row } = await toldLine();
    const copy = { ...row('open'), _id: newId() };
    await rows().insertOne(copy);
    expect(await mended(line)).toEqual(['counters-differ', 'row-differs']);
    expect(await rows().findOne({ _id: copy._id })).toMatchObject({
      ...{ status: 'merged', merged_into: row('open')._id },
    });
  });

  test('a second row for a vulnerability that no SBOM holds is merged, too', async () => {
    const { line, uploads } = await toldLine();
    await line.remove(uploads[2] as SbomReference);
    const vanished = (await line.documents()).find(({ status }) => status === 'vanished');
    if (!vanished) throw new Error('There is none.');
    await rows().insertOne({ ...vanished, _id: newId() });
    expect(await mended(line)).toEqual(['row-differs']);
  });

  test('an SBOM that is scanned and not in the log comes into it', async () => {
    const { line, uploads } = await toldLine();
    const before = await storedOf(line);
    await log().deleteOne({ _id: uploads[0]?.sbom_id ?? '' });
    expect(await mended(line)).toContain('log-entry-missing');
    expect(await storedOf(line)).toEqual(before);
  });

  test('an SBOM that is there and removed from the log comes back', async () => {
    const { line, uploads } = await toldLine();
    const before = await storedOf(line);
    const { sbom_id = '' } = uploads[1] ?? {};
    const { line_id, project_id } = line;
    await world.bus.request(removeSbom, { sbom_id, line_id, project_id });
    expect(await mended(line)).toContain('log-entry-missing');
    expect(await storedOf(line)).toEqual(before);
  });

  test('an entry of the log whose SBOM is gone goes, with the rows that only it had', async () => {
    const { line, uploads } = await toldLine();
    line.forgetSbom(uploads[2]?.sbom_id ?? '');
    const kinds = await mended(line);
    expect(kinds).toContain('log-entry-extra');
    expect(Object.values(await line.states())).toContain('vanished');
  });

  test('a log of which everything is gone leaves nothing in the lists', async () => {
    const { line, uploads } = await toldLine();
    for (const { sbom_id } of uploads) line.forgetSbom(sbom_id);
    await mended(line);
    expect(await line.listed()).toEqual([]);
  });

  test('rows whose ledger is gone get one, and keep their ids', async () => {
    const { line } = await toldLine();
    const before = (await line.documents()).map(({ _id, status }) => [_id, status]);
    await ledgers().deleteOne({ _id: line.line_id });
    expect(await mended(line)).toContain('head-differs');
    expect((await line.documents()).map(({ _id, status }) => [_id, status])).toEqual(before);
  });

  test('texts that are gone, so that lists leave their row out, come back', async () => {
    const { line, row } = await toldLine();
    const listed = await line.listed();
    const details = world.db.collection<{ _id: string }>('vulnerability_details');
    await details.deleteOne({ _id: row('open').shown?.details ?? '' });
    const kinds = await mended(line);
    expect(new Set(kinds)).toEqual(new Set(['texts-missing']));
    expect(await line.listed()).toEqual(listed);
  });

  test('a service that the catalog does not have any more goes', async () => {
    const { line } = await toldLine();
    catalog.lines.delete(line.line_id);
    expect(await mended(line, 'removed')).toEqual(['line-unknown']);
    expect(await line.documents()).toEqual([]);
  });

  test('what is left of a service without a ledger is found by a walk over all, and goes', async () => {
    const { line } = await toldLine();
    catalog.lines.delete(line.line_id);
    await ledgers().deleteOne({ _id: line.line_id });
    const { verdicts } = await verified(world);
    expect(verdicts.filter(({ line: one }) => one?.line_id === line.line_id)).toMatchObject([
      { differences: [{ kind: 'line-unknown' }] },
    ]);
    await mended(line, 'removed');
    await verified(world, { repair: true });
    expect((await verified(world)).verdicts).toEqual([]);
  });

  test('a service that was deleted here and is in the catalog cannot be repaired, which is said', async () => {
    const { line } = await toldLine();
    await ledgers().updateOne({ _id: line.line_id }, { $set: { forgotten: 'purged' } });
    const { verdicts } = await verified(world, { line, repair: true });
    expect(verdicts).toMatchObject([
      { differences: [{ kind: 'line-forgotten' }], repair: { did: 'forgotten', left: [{}] } },
    ]);
    await ledgers().updateOne({ _id: line.line_id }, { $unset: { forgotten: 1 } });
  });

  test('findings that the scanner has lost are told, and their scan is asked for', async () => {
    const { line, uploads } = await toldLine();
    const { digest = '', sbom_id } = uploads[1] ?? {};
    const found = world.scans.get(digest) ?? [];
    world.scans.delete(digest);
    const { verdicts } = await verified(world, { line, repair: true });
    expect(verdicts).toMatchObject([
      { differences: [{ kind: 'findings-missing', id: sbom_id }], repair: { did: 'asked' } },
    ]);
    const last = await world.bus.connection.manager.streams.getMessage('WORK', {
      last_by_subj: scannerUploads.filterSubject.replace('*', '>'),
    });
    expect(last?.string()).toContain(sbom_id);
    world.scans.set(digest, found);
    expect((await verified(world, { line })).verdicts).toEqual([]);
  });

  test('the numbers over all services are held to those of each', async () => {
    await verified(world, { repair: true });
    await world.db
      .collection<{ _id: number }>('listed_totals')
      .updateOne({ _id: 7 }, { $inc: { high: 5 } }, { upsert: true });
    expect((await verified(world)).verdicts).toMatchObject([
      { line: null, differences: [{ kind: 'totals-differ' }] },
    ]);
    const { verdicts } = await verified(world, { repair: true });
    expect(verdicts).toMatchObject([{ line: null, repair: { did: 'recomputed', left: [] } }]);
    expect(await verified(world)).toMatchObject({ verdicts: [], totals: { differing: 0 } });
  });
});

describe('Work that is under way', () => {
  /** A line whose findings have changed, which the rows do not show yet. */
  async function movedLine(): Promise<Told & { tellRows: () => Promise<void> }> {
    const told = await toldLine();
    const newest = told.uploads[2] as SbomReference;
    world.setScan(newest.digest, lodash, axios);
    world.revisions.set(newest.digest, 3);
    return {
      ...told,
      async tellRows() {
        const revision = Math.max(...world.revisions.values());
        await world.finish({ ...newest, lane: 'rescan', revision });
      },
    };
  }
  const undecided = { totals: { differing: 0, undecided: 1 } };

  test.each([
    ['an advisory change that is being evaluated', { settled: false, announced: true }],
    ['one that is being announced', { settled: true, announced: false }],
  ])('%s is no difference', async (_what, standing) => {
    const { line, tellRows } = await movedLine();
    catalog.standing = standing;
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    catalog.standing = { settled: true, announced: true };
    expect(await verified(world, { line })).toMatchObject({ totals: { differing: 1 } });
    await tellRows();
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
  });

  test('a re-scan that is owed is waited for', async () => {
    const { line, uploads, tellRows } = await movedLine();
    const { sbom_id = '' } = uploads[2] ?? {};
    catalog.owed.add(sbom_id);
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    const [{ verdicts }] = await Promise.all([
      verified(world, { line }),
      tellRows().then(() => catalog.owed.delete(sbom_id)),
    ]);
    expect(verdicts).toEqual([]);
  });

  test('a delete is no difference, whether it is half done or the service goes', async () => {
    const { line, uploads } = await toldLine();
    const sbom = line.sboms.find(({ sbom_id }) => sbom_id === uploads[2]?.sbom_id);
    if (sbom) sbom.deleting = true;
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
    await line.remove(uploads[2] as SbomReference);
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
    const held = catalog.lines.get(line.line_id);
    catalog.lines.delete(line.line_id);
    catalog.deleting.add(line.line_id);
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    if (held) catalog.lines.set(line.line_id, held);
  });

  test('uploads, re-scans, deletes and acceptances beside it bring no false report', async () => {
    const lines = Array.from({ length: 6 }, () => catalog.newLine());
    const sets = [world.newSet(lodash, axios), world.newSet(lodash), world.newSet(axios, vue)];
    for (const digest of sets) world.revisions.set(digest, 2);
    let busy = true;
    const work = lines.map(async (line, n) => {
      const uploads: SbomReference[] = [];
      for (let turn = 0; turn < 8; turn++) {
        uploads.push(await line.scanned(sets[(turn + n) % sets.length] ?? ''));
        if (turn % 4 === 2) await accept(world, line, { service: true }).catch(() => {});
        if (turn % 4 === 3) await line.remove(uploads.splice(1, 1)[0] as SbomReference);
      }
    });
    const ended = Promise.all(work).finally(() => (busy = false));
    let looks = 0;
    while (busy) {
      for (const line of lines) expect((await verified(world, { line })).verdicts).toEqual([]);
      looks += 1;
    }
    await ended;
    expect(looks).toBeGreaterThan(0);
    for (const line of lines) expect((await verified(world, { line })).verdicts).toEqual([]);
  });
});
