import { removeSbom, scannerUploads, type SbomReference } from '@bomtrail/messages';
import { v7 as newId } from 'uuid';
import type { LedgerDocument, LogDocument, RowDocument } from '../store/documents';
import {
  fakeCatalog,
  verified,
  type FakeCatalog,
  type RegisteredLine,
} from '../testing/fake-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { toldLine, type ToldLine } from '../testing/told-line';

let harness: TestReconciler;
let catalog: FakeCatalog;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
  catalog = fakeCatalog(harness);
});
afterAll(() => harness?.stop());

const rows = () => harness.db.collection<RowDocument>('tracked_vulnerabilities');
const log = () => harness.db.collection<LogDocument>('sbom_log');
const ledgers = () => harness.db.collection<LedgerDocument>('ledgers');

/** All that is stored of a line, without what counts its writes and without episodes, which a repair may begin. */
async function storedOf({ service_id }: RegisteredLine): Promise<unknown> {
  const ledger = await ledgers().findOne({ _id: service_id });
  const { version: _version, listed_version: _counted, ...rest } = ledger ?? ({} as LedgerDocument);
  return {
    ledger: rest,
    rows: await rows().find({ service_id }).project({ episodes: 0 }).sort({ _id: 1 }).toArray(),
    log: await log().find({ service_id }).sort({ _id: 1 }).toArray(),
  };
}

type Corruption = (told: ToldLine) => Promise<unknown>;

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
    ({ line }) => ledgers().updateOne({ _id: line.service_id }, { $inc: { 'listed.high': 3 } }),
    ['counters-differ'],
  ],
  [
    'a newest SBOM that is off',
    ({ line, uploads }) =>
      ledgers().updateOne(
        { _id: line.service_id },
        { $set: { 'head.sbom_id': uploads[0]?.sbom_id } },
      ),
    ['head-differs'],
  ],
  [
    'a revision that is not in force yet',
    ({ line }) => ledgers().updateOne({ _id: line.service_id }, { $set: { revision: 99 } }),
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
      const told = await toldLine(harness, catalog);
      const before = await storedOf(told.line);
      expect((await verified(harness, { line: told.line })).verdicts).toEqual([]);
      await corrupt(told);
      const found = await verified(harness, { line: told.line });
      const differences = found.verdicts.flatMap((verdict) => verdict.differences);
      expect(differences.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
      expect(found).toMatchObject({
        totals: { lines: 1, differing: 1, repaired: 0, undecided: 0 },
      });
      const repaired = await verified(harness, { line: told.line, repair: true });
      expect(repaired.verdicts).toMatchObject([{ repair: { did: 'recomputed', left: [] } }]);
      expect((await verified(harness, { line: told.line })).verdicts).toEqual([]);
      expect(await storedOf(told.line)).toEqual(before);
    },
  );
});

/** Repairs a line and gives what was told; fails where it does not end well or is not clean afterwards. */
async function mended(line: RegisteredLine, did = 'recomputed'): Promise<string[]> {
  const found = await verified(harness, { line });
  expect(found.totals).toMatchObject({ differing: 1, undecided: 0 });
  const { verdicts } = await verified(harness, { line, repair: true });
  expect(verdicts).toMatchObject([{ repair: { did, left: [] } }]);
  expect((await verified(harness, { line })).verdicts).toEqual([]);
  return found.verdicts.flatMap(({ differences }) => differences.map(({ kind }) => kind)).sort();
}

describe('What is missing, or too much', () => {
  test('a row that was deleted comes back, under another id', async () => {
    const { line, row } = await toldLine(harness, catalog);
    await rows().deleteOne({ _id: row('fixed')._id });
    expect(await mended(line)).toEqual(['row-missing']);
    expect(await line.states()).toMatchObject({ 'axios GHSA-2': 'fixed' });
  });

  test('a second row for a vulnerability is merged into the older one', async () => {
    const { line, row } = await toldLine(harness, catalog);
    const copy = { ...row('open'), _id: newId() };
    await rows().insertOne(copy);
    expect(await mended(line)).toEqual(['counters-differ', 'row-differs']);
    expect(await rows().findOne({ _id: copy._id })).toMatchObject({
      ...{ status: 'merged', merged_into: row('open')._id },
    });
  });

  test('a second row for a vulnerability that no SBOM holds is merged, too', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    await line.remove(uploads[2] as SbomReference);
    const vanished = (await line.documents()).find(({ status }) => status === 'vanished');
    if (!vanished) throw new Error('There is none.');
    await rows().insertOne({ ...vanished, _id: newId() });
    expect(await mended(line)).toEqual(['row-differs']);
  });

  test('an SBOM that is scanned and not in the log comes into it', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    const before = await storedOf(line);
    await log().deleteOne({ _id: uploads[0]?.sbom_id ?? '' });
    expect(await mended(line)).toContain('log-entry-missing');
    expect(await storedOf(line)).toEqual(before);
  });

  test('an SBOM that is there and removed from the log comes back', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    const before = await storedOf(line);
    const { sbom_id = '' } = uploads[1] ?? {};
    const { service_id, project_id } = line;
    await harness.bus.request(removeSbom, { sbom_id, service_id, project_id });
    expect(await mended(line)).toContain('log-entry-missing');
    expect(await storedOf(line)).toEqual(before);
  });

  test('an entry of the log whose SBOM is gone goes, with the rows that only it had', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    line.forgetSbom(uploads[2]?.sbom_id ?? '');
    const kinds = await mended(line);
    expect(kinds).toContain('log-entry-extra');
    expect(Object.values(await line.states())).toContain('vanished');
  });

  test('a log of which everything is gone leaves nothing in the lists', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    for (const { sbom_id } of uploads) line.forgetSbom(sbom_id);
    await mended(line);
    expect(await line.listed()).toEqual([]);
  });

  test('rows whose ledger is gone get one, and keep their ids', async () => {
    const { line } = await toldLine(harness, catalog);
    const before = (await line.documents()).map(({ _id, status }) => [_id, status]);
    await ledgers().deleteOne({ _id: line.service_id });
    expect(await mended(line)).toContain('head-differs');
    expect((await line.documents()).map(({ _id, status }) => [_id, status])).toEqual(before);
  });

  test('texts that are gone, so that lists leave their row out, come back', async () => {
    const { line, row } = await toldLine(harness, catalog);
    const listed = await line.listed();
    const details = harness.db.collection<{ _id: string }>('vulnerability_details');
    await details.deleteOne({ _id: row('open').shown?.details ?? '' });
    const kinds = await mended(line);
    expect(new Set(kinds)).toEqual(new Set(['texts-missing']));
    expect(await line.listed()).toEqual(listed);
  });

  test('a service that the catalog does not have any more goes', async () => {
    const { line } = await toldLine(harness, catalog);
    catalog.lines.delete(line.service_id);
    expect(await mended(line, 'removed')).toEqual(['line-unknown']);
    expect(await line.documents()).toEqual([]);
  });

  test('what is left of a service without a ledger is found by a walk over all, and goes', async () => {
    const { line } = await toldLine(harness, catalog);
    catalog.lines.delete(line.service_id);
    await ledgers().deleteOne({ _id: line.service_id });
    const { verdicts } = await verified(harness);
    expect(verdicts.filter(({ line: one }) => one?.service_id === line.service_id)).toMatchObject([
      { differences: [{ kind: 'line-unknown' }] },
    ]);
    await mended(line, 'removed');
    await verified(harness, { repair: true });
    expect((await verified(harness)).verdicts).toEqual([]);
  });

  test('a service that was deleted here and is in the catalog cannot be repaired, which is said', async () => {
    const { line } = await toldLine(harness, catalog);
    await ledgers().updateOne({ _id: line.service_id }, { $set: { forgotten: 'purged' } });
    const { verdicts } = await verified(harness, { line, repair: true });
    expect(verdicts).toMatchObject([
      { differences: [{ kind: 'line-forgotten' }], repair: { did: 'forgotten', left: [{}] } },
    ]);
    await ledgers().updateOne({ _id: line.service_id }, { $unset: { forgotten: 1 } });
  });

  test('findings that the scanner has lost are told, and their scan is asked for', async () => {
    const { line, uploads } = await toldLine(harness, catalog);
    const { digest = '', sbom_id } = uploads[1] ?? {};
    const found = harness.scans.get(digest) ?? [];
    harness.scans.delete(digest);
    const { verdicts } = await verified(harness, { line, repair: true });
    expect(verdicts).toMatchObject([
      { differences: [{ kind: 'findings-missing', id: sbom_id }], repair: { did: 'asked' } },
    ]);
    const last = await harness.bus.connection.manager.streams.getMessage('WORK', {
      last_by_subj: scannerUploads.filterSubject.replace('*', '>'),
    });
    expect(last?.string()).toContain(sbom_id);
    harness.scans.set(digest, found);
    expect((await verified(harness, { line })).verdicts).toEqual([]);
  });

  test('the numbers over all services are held to those of each', async () => {
    await verified(harness, { repair: true });
    await harness.db
      .collection<{ _id: number }>('listed_totals')
      .updateOne({ _id: 7 }, { $inc: { high: 5 } }, { upsert: true });
    expect((await verified(harness)).verdicts).toMatchObject([
      { line: null, differences: [{ kind: 'totals-differ' }] },
    ]);
    const { verdicts } = await verified(harness, { repair: true });
    expect(verdicts).toMatchObject([{ line: null, repair: { did: 'recomputed', left: [] } }]);
    expect(await verified(harness)).toMatchObject({ verdicts: [], totals: { differing: 0 } });
  });
});
