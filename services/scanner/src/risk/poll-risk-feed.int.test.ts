import { createServer, type Server } from 'node:http';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { createLogger } from '@bomtrail/telemetry';
import type { Db } from 'mongodb';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { listRiskChanges, readRiskScores } from './list-risk-changes';
import { ageOf } from './domain/risk-feed-state';
import { pollRiskFeed } from './poll-risk-feed';
import type { RiskSource } from './sources/open-risk-file';
import { createRiskScoreStore } from './store/risk-score-store';
import { createRiskStateStore } from './store/risk-state-store';

let databases: TestDatabases;
let folder: string;
let count = 0;
const held = { signal: new AbortController().signal, assertHeld: () => undefined };

beforeAll(async () => {
  databases = await startTestDatabases();
});
afterAll(() => databases?.stop());
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'bomtrail-risk-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function newDeps() {
  const db: Db = await databases.open(`risk${(count += 1)}`);
  const riskStates = createRiskStateStore(db);
  const http = { responseMs: 5_000, stallMs: 5_000, totalMs: 10_000 };
  const log = createLogger({ service: 'scanner', level: 'fatal', format: 'json' });
  return { log, riskStates, riskScores: createRiskScoreStore(db), http };
}
type Deps = Awaited<ReturnType<typeof newDeps>>;

const cve = (n: number) => `CVE-2021-${String(n).padStart(4, '0')}`;
function epssDay(date: string, scores: Readonly<Record<string, number>>): string {
  const lines = Object.entries(scores).map(([id, score]) => `${id},${score},0.5\n`);
  return `#model_version:v1,score_date:${date}T00:00:00Z\ncve,epss,percentile\n${lines.join('')}`;
}
/** A day with so many CVEs of the same score. */
const manyScores = (length: number, score: number) =>
  Object.fromEntries(Array.from({ length }, (_, n) => [cve(n), score]));

const file = (): string => path.join(folder, 'scores.csv');
const epss = (): RiskSource => ({ feed: 'epss', address: file(), isConfigured: true });

let edition = 0;
/** Writes the file with a time of its own, and polls it. */
async function poll(deps: Deps, text: string | Buffer): Promise<number> {
  await writeFile(file(), text);
  await utimes(file(), new Date(), new Date(1_700_000_000_000 + (edition += 1) * 1000));
  return pollRiskFeed(deps, epss(), held);
}

async function scoresOf(deps: Deps, cves: string[]): Promise<(number | undefined)[]> {
  const { scores } = await readRiskScores(deps, { cves });
  return cves.map((id) => scores.find((one) => one.cve === id)?.epss?.score);
}

test('a day is loaded, the next one changes what differs, and the changes can be listed', async () => {
  const deps = await newDeps();
  expect(await poll(deps, epssDay('2026-08-14', { [cve(1)]: 0.1, [cve(2)]: 0.2 }))).toBe(2);
  const next = gzipSync(epssDay('2026-08-15', { [cve(1)]: 0.1, [cve(2)]: 0.3, [cve(3)]: 0.4 }));
  expect(await poll(deps, next)).toBe(2);
  expect(await scoresOf(deps, [cve(1), cve(2), cve(3)])).toEqual([0.1, 0.3, 0.4]);
  const changes = await listRiskChanges(deps, { after_revision: 1, after_cve: '' });
  expect(changes).toMatchObject({ revision: 2, next: null });
  expect(changes.scores.map((one) => one.cve)).toEqual([cve(2), cve(3)]);
  expect((await deps.riskStates.read()).epss).toMatchObject({
    as_of: new Date('2026-08-15T00:00:00Z'),
    records: 3,
    error: null,
  });
});

test('a CVE that is gone has no score any more, and an unchanged file is not read again', async () => {
  const deps = await newDeps();
  await poll(deps, epssDay('2026-08-14', manyScores(20, 0.1)));
  expect(await poll(deps, epssDay('2026-08-15', manyScores(19, 0.1)))).toBe(1);
  expect(await scoresOf(deps, [cve(19)])).toEqual([undefined]);
  expect(await pollRiskFeed(deps, epss(), held)).toBe(0);
  expect((await deps.riskStates.read()).revision).toBe(2);
});

test.each([
  ['a page', '<html></html>\n', 'the columns are not'],
  ['half a file', gzipSync(epssDay('2026-08-16', manyScores(20, 0.9))).subarray(0, 60), ''],
  ['a score of 7', epssDay('2026-08-16', { ...manyScores(20, 0.9), [cve(5)]: 7 }), 'from 0 to 1'],
  ['a shrunken file', epssDay('2026-08-16', manyScores(17, 0.9)), '17 records, and the loaded'],
  ['an older day', epssDay('2026-08-13', manyScores(20, 0.9)), 'older than the loaded one'],
  ['a day to come', epssDay('2999-08-16', manyScores(20, 0.9)), 'which is in the future'],
])('%s changes nothing and says so', async (_name, text, reason) => {
  const deps = await newDeps();
  await poll(deps, epssDay('2026-08-15', manyScores(20, 0.1)));
  expect(await poll(deps, text)).toBe(0);
  expect(await scoresOf(deps, [cve(0), cve(5), cve(19)])).toEqual([0.1, 0.1, 0.1]);
  const { revision, epss: state } = await deps.riskStates.read();
  expect(revision).toBe(1);
  expect(state).toMatchObject({ as_of: new Date('2026-08-15T00:00:00Z'), records: 20 });
  expect(state.error).toContain(reason);
  expect(await poll(deps, epssDay('2026-08-16', manyScores(20, 0.2)))).toBe(20);
  expect((await deps.riskStates.read()).epss.error).toBeNull();
});

test('of a folder the newest edition is read, not its schema; an error names the file', async () => {
  const deps = await newDeps();
  const kev: RiskSource = { feed: 'kev', address: folder, isConfigured: true };
  const name = 'known_exploited_vulnerabilities';
  const catalog = { vulnerabilities: [{ cveID: cve(1), dateAdded: '2022-01-01' }] };
  await writeFile(path.join(folder, `${name}-2026-08-07.json`), JSON.stringify(catalog));
  await writeFile(path.join(folder, `${name}_schema.json`), '{"type":"object"}');
  expect(await pollRiskFeed(deps, kev, held)).toBe(1);
  await writeFile(path.join(folder, `${name}-2026-08-08.json`), '{}');
  await pollRiskFeed(deps, kev, held);
  const { error } = (await deps.riskStates.read()).kev;
  expect(error).toContain(`${name}-2026-08-08.json: vulnerabilities: `);
});

test('changes of an interrupted load are listed once it is finished', async () => {
  const deps = await newDeps();
  await poll(deps, epssDay('2026-08-14', manyScores(3, 0.1)));
  const stopped = {
    ...deps,
    riskStates: { ...deps.riskStates, set: () => Promise.reject(new Error('killed')) },
  };
  await writeFile(file(), epssDay('2026-08-15', manyScores(3, 0.2)));
  await expect(pollRiskFeed(stopped, epss(), held)).rejects.toThrow('killed');
  expect(await listRiskChanges(deps, { after_revision: 1, after_cve: '' })).toMatchObject({
    revision: 1,
    scores: [],
  });
  expect(await pollRiskFeed(deps, epss(), held)).toBe(3);
  const { scores } = await listRiskChanges(deps, { after_revision: 1, after_cve: '' });
  expect(scores).toHaveLength(3);
});

test('a load that is interrupted leaves no mixture if the day before is published again', async () => {
  const deps = await newDeps();
  const at = new Date(1_600_000_000_000);
  const publish = async (day: string, score: number, time: Date): Promise<void> => {
    await writeFile(file(), epssDay(day, manyScores(3_000, score)));
    await utimes(file(), time, time);
  };
  await publish('2026-08-14', 0.1, at);
  expect(await pollRiskFeed(deps, epss(), held)).toBe(3_000);
  await publish('2026-08-15', 0.2, new Date());
  let pages = 0;
  const assertHeld = (): void => {
    // After reading, and before each page.
    if ((pages += 1) > 2) throw new Error('killed');
  };
  await expect(pollRiskFeed(deps, epss(), { ...held, assertHeld })).rejects.toThrow('killed');
  expect(await scoresOf(deps, [cve(0), cve(2_999)])).toEqual([0.2, 0.1]);
  await publish('2026-08-14', 0.1, at);
  await pollRiskFeed(deps, epss(), held);
  expect(await scoresOf(deps, [cve(0), cve(2_999)])).toEqual([0.1, 0.1]);
  expect((await deps.riskStates.read()).epss).toMatchObject({ error: null, records: 3_000 });
});

test.each(['reads', 'writes'])(
  'a process that is paused while it %s an older day leaves the newer one of another process',
  async (when) => {
    const deps = await newDeps();
    await poll(deps, epssDay('2026-08-14', manyScores(3, 0.1)));
    const before = await deps.riskStates.read();
    expect(await poll(deps, epssDay('2026-08-16', manyScores(3, 0.3)))).toBe(3);
    const after = await deps.riskStates.read();
    await writeFile(file(), epssDay('2026-08-15', manyScores(3, 0.2)));
    let looks = 0;
    const assertHeld = (): void => {
      if ((looks += 1) > (when === 'reads' ? 0 : 1)) throw new Error('lost');
    };
    const late = { ...deps, riskStates: { ...deps.riskStates, read: async () => before } };
    await expect(pollRiskFeed(late, epss(), { ...held, assertHeld })).rejects.toThrow('lost');
    expect(await scoresOf(deps, [cve(0), cve(2)])).toEqual([0.3, 0.3]);
    expect(await deps.riskStates.read()).toEqual(after);
  },
);

test('KEV stands beside EPSS; a server that says "not modified" is not read again', async () => {
  const catalog = JSON.stringify({
    vulnerabilities: [{ cveID: cve(1), dateAdded: '2022-01-01', dueDate: '2022-02-01' }],
  });
  const requests: (string | undefined)[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(request.headers['if-none-match']);
    if (request.headers['if-none-match'] === '"1"') return response.writeHead(304).end();
    return response.writeHead(200, { etag: '"1"' }).end(catalog);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const deps = await newDeps();
    const { port } = server.address() as AddressInfo;
    const address = `http://user:secret@127.0.0.1:${port}/feeds/kev.json?token=secret`;
    const kev: RiskSource = { feed: 'kev', address, isConfigured: true };
    expect(await pollRiskFeed(deps, kev, held)).toBe(1);
    expect(await pollRiskFeed(deps, kev, held)).toBe(0);
    expect(requests).toEqual([undefined, '"1"']);
    await poll(deps, epssDay('2026-08-14', { [cve(1)]: 0.5 }));
    const { scores } = await readRiskScores(deps, { cves: [cve(1), cve(2)] });
    expect(scores).toEqual([
      {
        cve: cve(1),
        epss: { score: 0.5, percentile: 0.5 },
        kev: { date_added: '2022-01-01', due_date: '2022-02-01', ransomware: false },
        exploited_known_at: expect.any(String),
      },
    ]);
    expect(JSON.stringify(await deps.riskStates.read())).not.toContain('secret');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('values without a date have an age: since they were loaded', async () => {
  const deps = await newDeps();
  const lines = epssDay('2026-08-15', manyScores(20, 0.1)).split('\n').slice(1).join('\n');
  const before = Date.now();
  await poll(deps, lines);
  const { epss: loaded } = await deps.riskStates.read();
  expect(loaded).toMatchObject({ as_of: null, error: null, records: 20 });
  expect(ageOf(loaded, before + 1_000_000)).toBeGreaterThan(900_000);
  await pollRiskFeed(deps, epss(), held);
  expect((await deps.riskStates.read()).epss.loaded_at).toEqual(loaded.loaded_at);
});
