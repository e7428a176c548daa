import { rename, utimes } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readCoverage, readFeeds } from '@bomtrail/messages';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder, osvJson, type FeedFolder } from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';
import { writeZip } from '../testing/write-zip';

let servers: TestServers;
const folders: FeedFolder[] = [];
let feed: FeedFolder;
let scanner: ScannerUnderTest | null = null;
let number = 0;

beforeAll(async () => {
  servers = await startTestServers();
  feed = await makeFolder();
});
afterEach(async () => {
  await scanner?.stop();
  scanner = null;
});
afterAll(async () => {
  await servers?.stop();
  for (const folder of folders) await folder.discard();
});

async function makeFolder(): Promise<FeedFolder> {
  const folder = await makeFeedFolder();
  folders.push(folder);
  return folder;
}

async function start(
  source: string,
  settings: Record<string, number> = {},
): Promise<ScannerUnderTest> {
  number += 1;
  scanner = await startScanner(servers, { source, name: `f${number}`, settings });
  return scanner;
}

/** A zip of advisories about the packages `p1`, `p2`, …, each affected below 2.0.0. */
function zipOf(count: number, extra: Record<string, string> = {}): Buffer {
  const ids = Array.from({ length: count }, (_one, index) => index + 1);
  const files = ids.map((n) => [
    `GHSA-${n}.json`,
    JSON.stringify(osvJson('npm', { id: `GHSA-${n}`, name: `p${n}`, fixed: '2.0.0' })),
  ]);
  return writeZip({ ...Object.fromEntries(files), ...extra });
}

const p1 = { purl: 'pkg:npm/p1@1.0.0', name: 'p1', version: '1.0.0' };

async function partError(one: ScannerUnderTest): Promise<string> {
  return eventually(
    async () => {
      const error = (await one.state())?.parts.find(({ label }) => label === 'npm')?.error;
      if (!error) throw new Error('no failure is noted');
      return error;
    },
    { what: 'the failure is noted' },
  );
}

test('a bad record is counted and the others are loaded', async () => {
  await feed.write('npm/all.zip', zipOf(4, { 'BAD-1.json': '{', 'BAD-2.json': '{"id":"BAD-2"}' }));
  const one = await start(feed.path);
  const state = await one.state();
  expect(state).toMatchObject({ data: 'feed', revision: 1 });
  expect(state?.parts).toMatchObject([{ label: 'npm', records: 4, rejected: 2, error: null }]);
  expect(await one.metric('bomtrail_feed_rejected_records{part="npm"')).toBe(2);
});

test.each([
  ['is cut off', (zip: Buffer) => zip.subarray(0, zip.length / 2), 'not a complete zip file'],
  ['is empty', () => writeZip({}), 'no records'],
  ['holds fewer than half of the records', () => zipOf(1), 'fewer than half'],
])('a zip that %s keeps the old data and says so', async (_what, damage, reason) => {
  await feed.write('npm/all.zip', zipOf(4));
  const one = await start(feed.path);
  const digest = one.putSet([p1]);
  await one.scan(digest);

  await feed.write('npm/all.zip', damage(zipOf(4)));
  expect(await partError(one)).toContain(reason);
  expect(await one.state()).toMatchObject({ data: 'feed', revision: 1 });
  expect(await one.db.collection('advisories').countDocuments()).toBe(4);
  expect((await one.findings(digest)).findings).toHaveLength(1);
  expect(await one.metric('bomtrail_feed_failed{part="npm"')).toBe(1);
});

test('the file of another ecosystem is refused under the name of this one, and leaves nothing behind', async () => {
  await feed.write('npm/all.zip', zipOf(4));
  const one = await start(feed.path);
  const digest = one.putSet([p1]);
  await one.scan(digest);

  const gem = osvJson('RubyGems', { id: 'GHSA-9', name: 'p1', fixed: '2.0.0' });
  const others = Array.from({ length: 20 }, (_one, n) => [
    `GHSA-${n + 9}.json`,
    { ...gem, id: `GHSA-${n + 9}` },
  ]);
  const files = others.map(([name, record]) => [name, JSON.stringify(record)]);
  await feed.write('npm/all.zip', writeZip(Object.fromEntries(files)));
  expect(await partError(one)).toBe('the file has advisories of RubyGems, and none of npm');
  expect((await one.findings(digest)).findings).toHaveLength(1);
  // The right file is not compared with their number.
  await feed.write('npm/all.zip', zipOf(5));
  await eventually(async () => (await one.state())?.parts[0]?.records === 5, {
    what: 'the right file is loaded',
  });
});

test('a damaged record is skipped, and its stored version stays', async () => {
  await feed.write('npm/all.zip', zipOf(4));
  const one = await start(feed.path);
  const zip = zipOf(4);
  zip.write('1.0.0', zip.indexOf('2.0.0'));
  await feed.write('npm/all.zip', zip);
  await eventually(async () => (await one.state())?.parts[0]?.rejected === 1, {
    what: 'the record is rejected by its checksum',
  });
  expect(await one.db.collection('advisories').countDocuments()).toBe(4);
});

test('of two files with one id the newer counts, in whatever order they come', async () => {
  const json = (fixed: string, month: number): string =>
    JSON.stringify({
      ...osvJson('npm', { id: 'GHSA-1', name: 'p1', fixed }),
      modified: `2026-0${month}-01T00:00:00Z`,
    });
  const folder = await makeFolder();
  await folder.write('npm/a.json', json('2.0.0', 2));
  await folder.write('npm/b.json', json('1.0.0', 1));
  const one = await start(folder.path);
  const digest = one.putSet([p1]);
  await one.scan(digest);
  expect((await one.findings(digest)).findings).toHaveLength(1);
});

test('a record dated in the future is corrected by the next edition', async () => {
  const folder = await makeFolder();
  const wrong = { id: 'GHSA-1', name: 'p1', fixed: '1.0.0', modified: '2999-01-01T00:00:00Z' };
  await folder.put('npm', wrong);
  const one = await start(folder.path);
  const digest = one.putSet([p1]);
  await one.scan(digest);
  expect((await one.findings(digest)).findings).toEqual([]);
  await folder.put('npm', { ...wrong, fixed: '2.0.0', modified: '2026-02-01T00:00:00Z' });
  await eventually(async () => expect((await one.findings(digest)).findings).toHaveLength(1), {
    what: 'the correction is loaded',
  });
});

test('advisories are no more current than their load, whatever time their file has', async () => {
  const folder = await makeFolder();
  await folder.put('npm', { id: 'GHSA-1', name: 'p1' });
  const later = new Date(Date.now() + 30 * 24 * 3600_000);
  await utimes(`${folder.path}/npm/GHSA-1.json`, later, later);
  const one = await start(folder.path);
  const asOf = (await one.state())?.parts[0]?.as_of?.getTime();
  expect(asOf).toBeLessThanOrEqual(Date.now());
});

test('an unreadable record stays as it was stored, whatever its file is called', async () => {
  const folder = await makeFolder();
  const record = osvJson('npm', { id: 'GHSA-1', name: 'p1', fixed: '2.0.0' });
  await folder.write('npm/first.json', JSON.stringify(record));
  await folder.put('npm', { id: 'GHSA-2', name: 'p2' });
  const one = await start(folder.path);
  await folder.write('npm/first.json', JSON.stringify({ ...record, affected: 'none' }));
  await eventually(async () => (await one.state())?.parts[0]?.rejected === 1, {
    what: 'the record is rejected',
  });
  expect(await one.db.collection('advisories').countDocuments()).toBe(2);
});

test('a record that left the feed leaves the findings', async () => {
  await feed.write('npm/all.zip', zipOf(4));
  const one = await start(feed.path);
  const digest = one.putSet([p1]);
  await one.scan(digest);
  const files = [2, 3, 4].map((n) => osvJson('npm', { id: `GHSA-${n}`, name: `p${n}` }));
  const rest = Object.fromEntries(files.map((json) => [`${json.id}.json`, JSON.stringify(json)]));
  await feed.write('npm/all.zip', writeZip(rest));
  const revision = await one.nextRevision(1);
  await eventually(() => one.changed.length > 0, { what: 'the change is told' });
  expect(one.changed).toEqual([{ digest, revision }]);
  expect((await one.findings(digest)).findings).toEqual([]);
});

test('a second load with nothing new writes nothing', async () => {
  await feed.write('npm/all.zip', zipOf(4));
  const one = await start(feed.path);
  const before = await one.state();
  const read = () => one.db.collection('advisories').find().sort({ _id: 1 }).toArray();
  const advisories = await read();

  // The same content with another time: a new edition as far as one can see from outside.
  await feed.write('npm/all.zip', zipOf(4));
  await eventually(
    async () => (await one.state())?.parts[0]?.fingerprint !== before?.parts[0]?.fingerprint,
    { what: 'the edition is read' },
  );
  expect((await one.state())?.revision).toBe(1);
  expect(await read()).toEqual(advisories);
});

test('an advisory that two ecosystems hold stays until it left both', async () => {
  const shared = JSON.stringify(osvJson('npm', { id: 'SHARED', name: 'p1' }));
  const [npm, pypi] = ['npm', 'PyPI'].map((ecosystem) =>
    osvJson(ecosystem, { id: 'OTHER', name: 'x' }),
  );
  const affected = [npm, pypi].flatMap((record) => record?.['affected']);
  const other = JSON.stringify({ ...npm, affected });
  const both = await makeFolder();
  await both.write('npm/SHARED.json', shared);
  await both.write('npm/OTHER.json', other);
  await both.write('PyPI/SHARED.json', shared);
  await both.write('PyPI/OTHER.json', other);
  const one = await start(both.path);
  await both.remove('npm/SHARED.json');
  const ecosystemsOf = async () =>
    (
      await one.db
        .collection<{ _id: string; labels: string[] }>('advisories')
        .findOne({ _id: 'SHARED' })
    )?.labels;
  await eventually(async () => expect(await ecosystemsOf()).toEqual(['PyPI']), {
    what: 'one feed has dropped it',
  });
  expect((await one.state())?.revision).toBe(1);
  await both.remove('PyPI/SHARED.json');
  await one.nextRevision(1);
  expect(await ecosystemsOf()).toBeUndefined();
});

test('a configured source that cannot be read shows the starter set until it can', async () => {
  const late = await makeFolder();
  await late.write('npm/all.zip', 'no zip');
  const one = await start(late.path);
  expect(await one.state()).toMatchObject({ data: 'starter' });
  const digest = one.putSet([p1]);
  await one.scan(digest);
  expect((await one.findings(digest)).findings).toEqual([]);
  expect((await one.request(readCoverage, { digest })).body.advisory_data).toBe('starter');

  await late.write('npm/all.zip', zipOf(4));
  await one.nextRevision(1);
  expect(await one.state()).toMatchObject({ data: 'feed' });
  expect(await one.db.collection('advisories').countDocuments()).toBe(4);
  await eventually(async () => expect((await one.findings(digest)).findings).toHaveLength(1), {
    what: 'the finding of the feed is there',
  });
});

test('a folder that is gone says so until it is back, also before anything was loaded', async () => {
  const folder = await makeFolder();
  const one = await start(`${folder.path}/osv`);
  const errors = async () => {
    const { body } = await one.request(readFeeds, {});
    return [...new Set(body.feeds.map(({ last_error }) => last_error?.message ?? null))];
  };
  const isGone = [expect.stringContaining('does not exist')];
  expect(await errors()).toEqual(isGone);
  expect(await one.metric('bomtrail_feed_failed{part="all",service="scanner"}')).toBe(1);

  await folder.write('osv/npm/all.zip', zipOf(4));
  await one.nextRevision(1);
  await eventually(async () => expect(await errors()).toEqual([null]), {
    what: 'the folder can be read',
  });
  await rename(`${folder.path}/osv`, `${folder.path}/gone`);
  await eventually(async () => expect(await errors()).toEqual(isGone), {
    what: 'the folder cannot be read',
  });
  expect(await one.state()).toMatchObject({ parts: [{ label: 'npm', records: 4 }] });
});

test.each([
  ['with a zip in a folder of each ecosystem', { 'npm/all.zip': zipOf(3) }],
  ['with all advisories at its root', { ...rootOf(3) }],
  ['with a folder of each ecosystem', { ...rootOf(3, 'npm/') }],
])('one zip file %s is a source', async (_what, files) => {
  const folder = await makeFolder();
  await folder.write('export.zip', writeZip(files));
  const one = await start(`${folder.path}/export.zip`);
  expect(await one.state()).toMatchObject({ data: 'feed', parts: [{ records: 3, error: null }] });
});

function rootOf(count: number, folder = ''): Record<string, string> {
  const records = Array.from({ length: count }, (_one, n) =>
    osvJson('npm', { id: `GHSA-${n}`, name: `p${n}` }),
  );
  return Object.fromEntries(
    records.map((json) => [`${folder}${String(json.id)}.json`, JSON.stringify(json)]),
  );
}

test('a folder that changes is looked at at once, however long the interval is', async () => {
  const folder = await makeFolder();
  await folder.put('npm', { id: 'GHSA-1', name: 'p1', fixed: '2.0.0' });
  const one = await start(folder.path, { BOMTRAIL_FEED_INTERVAL_SECONDS: 3600 });
  const digest = one.putSet([p1]);
  await one.scan(digest);
  await folder.put('npm', { id: 'GHSA-2', name: 'p1', fixed: '3.0.0' });
  const revision = await one.nextRevision(1);
  await folder.write('npm/all.zip', zipOf(4));
  await one.nextRevision(revision);
  expect(await one.state()).toMatchObject({ parts: [{ label: 'npm', records: 4 }] });
});

test('a zip of all ecosystems speaks for those that it holds, and for no other', async () => {
  const folder = await makeFolder();
  const pypi = osvJson('PyPI', { id: 'PYSEC-1', name: 'x' });
  await folder.write(
    'export.zip',
    writeZip({ ...rootOf(2), 'PYSEC-1.json': JSON.stringify(pypi) }),
  );
  const one = await start(`${folder.path}/export.zip`);
  const [part] = (await one.state())?.parts ?? [];
  expect(part).toMatchObject({ label: 'all', records: 3, covers: ['PyPI', 'npm'] });
});

test('a zip that unpacks to more than any export leaves the old data, and says so', async () => {
  const folder = await makeFolder();
  const file = 'nested.zip';
  await folder.write(file, writeZip({ 'npm/all.zip': zipOf(2) }));
  const one = await start(`${folder.path}/${file}`);
  await one.scan(one.putSet([p1]));
  const refused = async (bytes: Buffer, reason: RegExp): Promise<void> => {
    await folder.write(file, bytes);
    const isRefused = async (): Promise<void> => {
      const part = (await one.state())?.parts.find(({ label }) => label === 'npm');
      expect(part?.error).toMatch(reason);
      expect(part?.records).toBe(2);
    };
    await eventually(isRefused, { what: `it is refused: ${reason.source}` });
  };
  const gib = 1024 ** 3;
  const claimed = { 'npm/all.zip': 3 * gib };
  await refused(writeZip({ 'npm/all.zip': zipOf(3) }, claimed), /all\.zip has more than 2 GiB/);
  const many = Array.from({ length: 6 }, (_, n) => `GHSA-${n}.json`);
  const bomb = writeZip(
    Object.fromEntries(many.map((name) => [name, '{}'])),
    Object.fromEntries(many.map((name) => [name, 3 * gib])),
  );
  await refused(writeZip({ 'npm/all.zip': bomb }), /exceed 16 GiB unpacked/);
  await refused(
    writeZip(
      Object.fromEntries(many.map((name) => [`npm/${name}`, '{}'])),
      Object.fromEntries(many.map((name) => [`npm/${name}`, 3 * gib])),
    ),
    /exceed 16 GiB unpacked/,
  );
});

test('of two processes with different sources the one that started last polls; the other one once none of those is left', async () => {
  const [former, latter] = [await makeFolder(), await makeFolder()];
  await former.put('npm', { id: 'GHSA-1', name: 'p1' });
  await latter.put('npm', { id: 'GHSA-2', name: 'p2' });
  const one = await start(former.path);
  const name = `f${number}`;
  const advisories = async () =>
    (await one.db.collection<{ _id: string }>('advisories').distinct('_id', {})).sort();
  const loaded = async () => ({ revision: (await one.state())?.revision, ids: await advisories() });
  const other = await startScanner(servers, { source: latter.path, name });
  try {
    await eventually(async () => expect(await loaded()).toEqual({ revision: 2, ids: ['GHSA-2'] }), {
      what: 'the source of the second process is loaded',
    });
    await former.put('npm', { id: 'GHSA-3', name: 'p3' });
    await latter.put('npm', { id: 'GHSA-4', name: 'p4' });
    await eventually(
      async () => expect(await loaded()).toEqual({ revision: 3, ids: ['GHSA-2', 'GHSA-4'] }),
      { what: 'the second process goes on' },
    );
  } finally {
    await other.stop();
  }
  const longAgo = new Date(Date.now() - 11 * 60_000);
  await one.db.collection('source_claims').updateOne({}, { $set: { seen_at: longAgo } });
  await eventually(async () => expect(await advisories()).toEqual(['GHSA-1', 'GHSA-3']), {
    what: 'the first process takes over',
  });
});
