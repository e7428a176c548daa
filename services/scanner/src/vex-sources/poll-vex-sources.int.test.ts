import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { maxVexBytes } from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { startVexSourceBench, type Document } from '../testing/vex-source-bench';
import { pollVexSources } from './poll-vex-sources';

let bench: Awaited<ReturnType<typeof startVexSourceBench>>;
let server: (typeof bench)['server'];
let newDeps: (typeof bench)['newDeps'];
let putProvider: (typeof bench)['putProvider'];

beforeAll(async () => {
  bench = await startVexSourceBench();
  ({ server, newDeps, putProvider } = bench);
});
afterAll(() => bench?.stop());
afterEach(() => {
  server.heal();
  server.asked();
});

test('a CSAF provider is followed: new, changed and withdrawn documents; nothing is read twice', async () => {
  const a = { id: 'a', version: 1 };
  const b = { id: 'b', version: 1 };
  const { deps, stored } = await newDeps(putProvider([a, b]));
  expect(await pollVexSources(deps)).toBe(2);
  expect(stored()).toEqual({ a: 1, b: 1 });
  server.asked();
  expect(await pollVexSources(deps)).toBe(0);
  expect(server.asked()).toEqual(['200 /csaf/provider-metadata.json', '304 /csaf/feed.json']);

  putProvider([a, { ...b, version: 2 }]);
  expect(await pollVexSources(deps)).toBe(1);
  expect(server.asked()).toEqual([
    '200 /csaf/provider-metadata.json',
    '200 /csaf/feed.json',
    '200 /csaf/b.json',
  ]);
  expect(stored()).toEqual({ a: 1, b: 2 });

  putProvider([a]);
  expect(await pollVexSources(deps)).toBe(1);
  expect(stored()).toEqual({ a: 1 });
});

test.each([
  [
    'changes.csv',
    { 'changes.csv': '"2026/a.json","2026-01-01T00:00:00Z"\n2026/b.json,2026-01-02T00:00:00Z\n' },
  ],
  ['index.txt', { 'index.txt': '2026/a.json\n2026/b.json\n' }],
])('a directory of a CSAF provider is read by its %s', async (name, lists) => {
  const folder = `/dir-${name}`;
  const provider = `${folder}/provider-metadata.json`;
  server.put(provider, { distributions: [{ directory_url: `${server.url}${folder}/white` }] });
  for (const [file, text] of Object.entries(lists)) server.put(`${folder}/white/${file}`, text);
  server.put(`${folder}/white/2026/a.json`, { id: 'a', version: 1 });
  server.put(`${folder}/white/2026/b.json`, { id: 'b', version: 1 });
  const { deps, stored } = await newDeps(`${server.url}${provider}`);
  expect(await pollVexSources(deps)).toBe(2);
  expect(stored()).toEqual({ a: 1, b: 1 });
  server.asked();
  expect(await pollVexSources(deps)).toBe(0);
  expect(server.asked().filter((one) => one.startsWith('200') && one.includes('2026'))).toEqual([]);
});

test('a repository names its documents in index.json; each is asked for conditionally', async () => {
  server.put('/repo/index.json', {
    packages: [
      { id: 'pkg:npm/x', location: 'x/vex.json' },
      { id: 'pkg:npm/y', location: 'y/vex.json' },
    ],
  });
  server.put('/repo/x/vex.json', { id: 'x', version: 1 });
  server.put('/repo/y/vex.json', { id: 'y', version: 1 });
  const { deps, stored } = await newDeps(`${server.url}/repo`);
  expect(await pollVexSources(deps)).toBe(2);
  server.put('/repo/y/vex.json', { id: 'y', version: 2 });
  server.asked();
  expect(await pollVexSources(deps)).toBe(1);
  expect(server.asked()).toEqual([
    '304 /repo/index.json',
    '304 /repo/x/vex.json',
    '200 /repo/y/vex.json',
  ]);
  expect(stored()).toEqual({ x: 1, y: 2 });
});

test.each([
  ['an HTML page in place of the feed', [/feed.json/, 'html'], 'is not JSON'],
  ['429', [/feed.json/, { status: 429, headers: { 'retry-after': '1' } }], 'status 429'],
  ['503 for the metadata', [/provider-metadata/, { status: 503 }], 'status 503'],
  ['a body that is cut off', [/feed.json/, 'cut off'], 'could not be read'],
  ['503 for one document', [/\/b\.json/, { status: 503 }], 'status 503'],
] as const)(
  '%s withdraws nothing, is told, and is over when it is over',
  async (_title, fault, reason) => {
    const documents = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, version: 1 }));
    const { deps, stored, state } = await newDeps(putProvider(documents));
    await pollVexSources(deps);
    const before = stored();
    putProvider(documents.map((one) => ({ ...one, version: 2 })));
    const [at, what] = fault;
    server.break(at, what);
    await pollVexSources(deps);
    expect(Object.keys(stored())).toEqual(Object.keys(before));
    expect(await state()).toMatchObject({
      error: expect.stringContaining(reason),
      failures: 1,
      documents: 5,
    });
    server.heal();
    const isRead = async () => {
      await pollVexSources(deps);
      expect(await state()).toMatchObject({ error: null, failures: 0 });
    };
    await eventually(isRead, { what: 'the source is read again' });
    expect(stored()).toEqual({ a: 2, b: 2, c: 2, d: 2, e: 2 });
  },
);

test('a list that lost more than half of its documents is believed after a day only', async () => {
  const documents = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, version: 1 }));
  const { deps, stored, state, db } = await newDeps(putProvider(documents));
  await pollVexSources(deps);
  putProvider(documents.slice(0, 2));
  await pollVexSources(deps);
  expect(Object.keys(stored())).toHaveLength(5);
  expect((await state())?.error).toContain('it lists 2 documents, and 5 are loaded');
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  await db.collection('vex_source_state').updateMany({}, { $set: { 'shrunk.since': dayAgo } });
  await pollVexSources(deps);
  expect(stored()).toEqual({ a: 1, b: 1 });
});

test('a document that is rejected is told and keeps the accepted one before it; the others are imported', async () => {
  const a = { id: 'a', version: 1 };
  const { deps, stored, state } = await newDeps(putProvider([a, { id: 'b', version: -1 }]));
  expect(await pollVexSources(deps)).toBe(1);
  putProvider([
    { id: 'a', version: 2 },
    { id: 'b', version: -1 },
  ]);
  server.break(/\/a\.json/, 'html');
  await pollVexSources(deps);
  expect(stored()).toEqual({ a: 1 });
  expect(await state()).toMatchObject({ error: null, documents: 2 });
  const rejected = await deps.vexSourceStore.rejected((await state())?.origin ?? '', 5);
  expect(rejected).toMatchObject({
    total: 2,
    first: [{ key: '/csaf/a.json' }, { key: '/csaf/b.json', error: 'statements is missing' }],
  });
});

const large = { id: 'large', version: 1, text: 'x'.repeat(maxVexBytes) };
const small = { id: 'small', version: 1 };
const folders: string[] = [];
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});
/** By source: its address, and the key of the large document. */
const sources: [string, () => Promise<[address: string, key: string]>][] = [
  ['a provider', async () => [putProvider([large, small]), '/csaf/large.json']],
  [
    'a folder',
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-large-vex-'));
      folders.push(folder);
      for (const one of [large, small])
        await writeFile(path.join(folder, `${one.id}.json`), JSON.stringify(one));
      return [folder, 'large.json'];
    },
  ],
];

test.each(sources)(
  'a document of %s that is too large is rejected alone, with the reason, and not read again',
  async (_of, made) => {
    const [address, key] = await made();
    const { deps, stored, state } = await newDeps(address);
    expect(await pollVexSources(deps)).toBe(1);
    expect(stored()).toEqual({ small: 1 });
    expect(await state()).toMatchObject({ error: null, documents: 2 });
    const error = expect.stringContaining(`more than ${maxVexBytes} bytes`) as unknown;
    const rejected = await deps.vexSourceStore.rejected((await state())?.origin ?? '', 5);
    expect(rejected).toMatchObject({ total: 1, first: [{ key, error }] });
    server.asked();
    expect(await pollVexSources(deps)).toBe(0);
    expect(server.asked()).not.toContain(`200 ${key}`);
  },
);

test('a list that is too large says nothing about the documents: the poll fails', async () => {
  const { deps, stored, state } = await newDeps(putProvider([small]));
  await pollVexSources(deps);
  server.put('/csaf/feed.json', { text: 'x'.repeat(65 * 1024 * 1024) });
  await pollVexSources(deps);
  expect(stored()).toEqual({ small: 1 });
  expect((await state())?.error).toMatch(/feed.json has more than \d+ bytes/);
});

test('files on another server are refused', async () => {
  server.put('/other/provider-metadata.json', {
    distributions: [{ rolie: { feeds: [{ url: 'https://169.254.169.254/feed.json' }] } }],
  });
  const { deps, state } = await newDeps(`${server.url}/other/provider-metadata.json`);
  await pollVexSources(deps);
  expect((await state())?.error).toContain('names files of 169.254.169.254');
});

describe('a folder', () => {
  let folder: string;
  let edition = 0;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-vex-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const put = async (document: Document, name = `${document.id}.json`): Promise<void> => {
    await writeFile(path.join(folder, name), JSON.stringify(document));
    await utimes(path.join(folder, name), new Date(), new Date(1.7e12 + (edition += 1) * 1000));
  };

  test('is followed: new, changed, renamed and deleted files', async () => {
    await put({ id: 'a', version: 1 });
    await put({ id: 'b', version: 1 });
    const { deps, stored } = await newDeps(folder);
    await pollVexSources(deps);
    expect(stored()).toEqual({ a: 1, b: 1 });
    await put({ id: 'a', version: 2 });
    await rm(path.join(folder, 'b.json'));
    await put({ id: 'b', version: 1 }, 'renamed.json');
    await pollVexSources(deps);
    expect(stored()).toEqual({ a: 2, b: 1 });
    await rm(path.join(folder, 'a.json'));
    await pollVexSources(deps);
    expect(stored()).toEqual({ b: 1 });
  });

  test.each([
    ['older.json', 'the newer one'],
    ['zzz-older.json', 'the newer one, which is read before it'],
  ])('with two versions of a document has the older one (%s) again without %s', async (name) => {
    await put({ id: 'a', version: 1 }, name);
    const { deps, stored, state } = await newDeps(folder);
    if (name === 'older.json') await pollVexSources(deps);
    await put({ id: 'a', version: 2 }, 'newer.json');
    await pollVexSources(deps);
    const rejected = async () =>
      (await deps.vexSourceStore.rejected((await state())?.origin ?? '', 5)).first;
    expect(await rejected()).toMatchObject([{ key: name, error: expect.any(String) as string }]);
    await put({ id: 'a', version: 2 }, 'copy.json');
    await pollVexSources(deps);
    await rm(path.join(folder, 'newer.json'));
    await pollVexSources(deps);
    expect(stored()).toEqual({ a: 2 });

    await rm(path.join(folder, 'copy.json'));
    await pollVexSources(deps);
    expect(stored()).toEqual({});
    await pollVexSources(deps);
    expect(stored()).toEqual({ a: 1 });
    expect(await rejected()).toEqual([]);
  });

  test('that cannot be read withdraws nothing', async () => {
    await put({ id: 'a', version: 1 });
    const { deps, stored, state } = await newDeps(folder);
    await pollVexSources(deps);
    await rm(folder, { recursive: true });
    await pollVexSources(deps);
    expect(stored()).toEqual({ a: 1 });
    expect((await state())?.error).toContain('is no folder that can be read');
  });

  test('that is not watched any more withdraws its documents, unless another source has them', async () => {
    await put({ id: 'a', version: 1 });
    await put({ id: 'b', version: 1 });
    const { deps, stored, state, unwatchedFor } = await newDeps(
      folder,
      putProvider([{ id: 'b', version: 1 }]),
    );
    await pollVexSources(deps);
    const [, provider] = deps.vexSources;
    if (!provider) throw new Error('There is no second source.');
    await pollVexSources({ ...deps, vexSources: [provider] });
    await unwatchedFor(10 * 60_000);
    await pollVexSources({ ...deps, vexSources: [provider] });
    expect(stored()).toEqual({ b: 1 });
    expect((await state())?.origin).toBe(provider.origin);
  });
});

test('processes with other settings, as in a rolling change, do not withdraw each other’s documents', async () => {
  const watching = await newDeps(putProvider([{ id: 'a', version: 1 }]));
  const { stored, state, unwatchedFor } = watching;
  const deps = { ...watching.deps, vexIntervalMs: 3_600_000 };
  const others = { ...deps, vexSources: [] };
  await pollVexSources(deps);
  for (let turn = 0; turn < 2; turn += 1) {
    await pollVexSources(others);
    await unwatchedFor(9 * 60_000);
    expect(await pollVexSources(others)).toBe(0);
    expect(await pollVexSources(deps)).toBe(0);
    await unwatchedFor(11 * 60_000);
  }
  expect(stored()).toEqual({ a: 1 });
  await pollVexSources(others);
  await unwatchedFor(11 * 60_000);
  expect(await pollVexSources(others)).toBe(1);
  expect(stored()).toEqual({});
  expect(await state()).toBeUndefined();
});

test('two processes poll one after the other', async () => {
  const { deps, stored } = await newDeps(putProvider([{ id: 'a', version: 1 }]));
  const polls = await Promise.all([pollVexSources(deps), pollVexSources(deps)]);
  expect(polls.sort()).toEqual([0, 1]);
  expect(stored()).toEqual({ a: 1 });
});

test('a process that was paused while it read a document leaves it to the one that took over', async () => {
  const a = { id: 'a', version: 1 };
  const b = { id: 'b', version: 1 };
  const { deps, stored, state, db } = await newDeps(putProvider([a, b]));
  const [source] = deps.vexSources;
  if (!source) throw new Error('no source');
  let pausedMs = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + pausedMs);
  const paused: typeof source = {
    ...source,
    async read(...asked) {
      const found = await source.read(...asked);
      if (!asked[0].endsWith('/b.json')) return found;
      await db.collection('leases').updateMany({}, { $set: { expires_at: new Date(0) } });
      putProvider([a], '2026-01-02T00:00:00Z');
      await pollVexSources(deps);
      pausedMs = 60_000;
      return found;
    },
  };
  await expect(pollVexSources({ ...deps, vexSources: [paused] })).rejects.toThrow('lease');
  clock.mockRestore();
  expect(stored()).toEqual({ a: 1 });
  expect((await state())?.error).toBeNull();
});
