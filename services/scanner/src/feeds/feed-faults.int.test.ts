import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { startFakeOsv, type Fault } from '../testing/fake-osv';
import { startScanner } from '../testing/scanner-under-test';
import { osvJson } from '../testing/feed-folder';
import { writeZip } from '../testing/write-zip';

/** Ecosystems with their purl types; each test breaks them all, each in another way. */
const types = {
  npm: 'npm',
  PyPI: 'pypi',
  'crates.io': 'cargo',
  RubyGems: 'gem',
  NuGet: 'nuget',
  Hex: 'hex',
  Pub: 'pub',
  Go: 'golang',
};
type Ecosystem = keyof typeof types;
const ecosystems = Object.keys(types) as Ecosystem[];
const within = 20_000;

/** A list is read back for some hours only: so what is new in these tests is of today. */
const started = Date.now();
const minute = (n: number) => new Date(started + n * 60_000).toISOString();

let servers: TestServers;
beforeAll(async () => {
  servers = await startTestServers();
});
afterAll(() => servers?.stop());

/** A scanner that stands on a server with two advisories of each ecosystem, and a scanned set of each. */
async function startOnFeed(name: string, seconds: { betweenZips: number }) {
  const osv = await startFakeOsv();
  for (const ecosystem of ecosystems) {
    for (const n of [1, 2]) osv.put(ecosystem, advisory(ecosystem, n));
  }
  const settings = { BOMTRAIL_FEED_TIMEOUT_SECONDS: 2 };
  const scanner = await startScanner(servers, { source: osv.url, name, settings, seconds });
  const digests = new Map<Ecosystem, string>();
  for (const ecosystem of ecosystems) {
    const purl = `pkg:${types[ecosystem]}/p1@1.0.0`;
    digests.set(ecosystem, scanner.putSet([{ purl, name: 'p1', version: '1.0.0' }]));
  }
  await Promise.all([...digests.values()].map((digest) => scanner.scan(digest)));
  return { osv, scanner, digests };
}

/** An advisory about `p<n>`, or about the given package. */
function advisory(
  ecosystem: Ecosystem,
  n: number,
  rest: { name?: string; modified?: string } = {},
) {
  return { id: `${ecosystem.replace('.', '')}-${n}`, name: `p${n}`, fixed: '2.0.0', ...rest };
}

type Running = Awaited<ReturnType<typeof startOnFeed>>;

async function findingsOf({ scanner, digests }: Running, ecosystem: Ecosystem): Promise<string[]> {
  const result = await scanner.findings(digests.get(ecosystem) ?? '');
  const found = Object.values(result.vulnerabilities).flatMap(({ advisory_ids }) => advisory_ids);
  return found.sort();
}

async function partOf({ scanner }: Running, ecosystem: Ecosystem) {
  const part = (await scanner.state())?.parts.find(({ label }) => label === ecosystem);
  if (!part) throw new Error(`${ecosystem} has no state`);
  return part;
}

async function expectFailure(run: Running, ecosystem: Ecosystem, reason: RegExp): Promise<void> {
  await eventually(async () => expect((await partOf(run, ecosystem)).error).toMatch(reason), {
    within,
    what: `${ecosystem} has failed`,
  });
  const part = await partOf(run, ecosystem);
  expect(part).toMatchObject({ records: 2, failed_at: expect.any(Date) });
  expect(part.fingerprint).not.toBeNull();
  expect(await findingsOf(run, ecosystem)).toEqual([advisory(ecosystem, 1).id]);
  expect(await run.scanner.metric(`bomtrail_feed_failed{part="${ecosystem}"`)).toBe(1);
}

async function expectRecovery(run: Running, ecosystem: Ecosystem, ids: string[]): Promise<void> {
  await eventually(async () => expect(await findingsOf(run, ecosystem)).toEqual(ids), {
    within,
    what: `what is new of ${ecosystem} is found`,
  });
  await eventually(
    async () => {
      expect(await partOf(run, ecosystem)).toMatchObject(fine);
      expect(await run.scanner.metric(`bomtrail_feed_failed{part="${ecosystem}"`)).toBe(0);
    },
    { within, what: `${ecosystem} has no failure` },
  );
}
const fine = { error: null, failed_at: null };

function zipOf(ecosystem: Ecosystem, ...numbers: number[]): Buffer {
  const files = numbers.map((n) => [
    `${advisory(ecosystem, n).id}.json`,
    JSON.stringify(osvJson(ecosystem, advisory(ecosystem, n))),
  ]);
  return writeZip(Object.fromEntries(files) as Record<string, string>);
}

describe('the zip of an ecosystem', () => {
  let run: Running;
  beforeAll(async () => {
    run = await startOnFeed('zip', { betweenZips: 0.1 });
  });
  afterAll(async () => {
    run?.osv.close();
    await run?.scanner.stop();
  });

  const faults: [Ecosystem, Fault, RegExp][] = [
    ['npm', { status: 500 }, /status 500/],
    ['PyPI', { status: 404 }, /status 404/],
    ['crates.io', { body: zipOf('crates.io', 1, 2, 3).subarray(0, 200) }, /not a complete zip/],
    ['RubyGems', 'cut off', /could not be read/],
    ['NuGet', 'stall', /did not answer in time/],
    ['Hex', { body: writeZip({}) }, /no records/],
    ['Pub', { body: '<html>Please sign in</html>' }, /not a complete zip/],
  ];

  test('that is missing, broken, slow, cut off or empty leaves the old data, says so, and recovers', async () => {
    for (const [ecosystem, fault] of faults) {
      run.osv.put(ecosystem, advisory(ecosystem, 3, { name: 'p1' }));
      run.osv.break(new RegExp(`^/${ecosystem}/all.zip`), fault);
    }
    for (const [ecosystem, , reason] of faults) await expectFailure(run, ecosystem, reason);
    run.osv.heal();
    for (const [ecosystem] of faults) {
      const ids = [1, 3].map((n) => advisory(ecosystem, n).id);
      await expectRecovery(run, ecosystem, ids);
    }
  });

  test('that lost more than half of its records is refused', async () => {
    run.osv.break(/^\/npm\/all.zip/, { body: zipOf('npm', 1) });
    await eventually(
      async () => expect((await partOf(run, 'npm')).error).toMatch(/fewer than half/),
      {
        within,
        what: 'the zip is refused',
      },
    );
    expect(await findingsOf(run, 'npm')).toEqual(['npm-1', 'npm-3']);
    run.osv.heal();
    await expectRecovery(run, 'npm', ['npm-1', 'npm-3']);
  });

  test('of a server that resets the connection leaves the old data of all', async () => {
    run.osv.break(/all.zip/, 'reset');
    await eventually(async () => expect((await partOf(run, 'Pub')).error).not.toBeNull(), {
      within,
      what: 'the last one has failed too',
    });
    expect(await findingsOf(run, 'Pub')).toEqual(['Pub-1', 'Pub-3']);
    run.osv.heal();
    await expectRecovery(run, 'Pub', ['Pub-1', 'Pub-3']);
  });

  test('brings what has become older no more, and counts what it cannot read', async () => {
    const older = { modified: '2025-01-01T00:00:00Z', fixed: '0.1.0' };
    run.osv.put('npm', { ...advisory('npm', 1), ...older });
    run.osv.putText('npm', 'BAD-1', { text: '{', modified: '2026-01-01T00:00:00Z' });
    await eventually(async () => expect((await partOf(run, 'npm')).rejected).toBe(1), {
      within,
      what: 'the bad record is counted',
    });
    expect(await findingsOf(run, 'npm')).toEqual(['npm-1', 'npm-3']);
  });

  test('takes away what has gone from it, but not what may be newer than it', async () => {
    run.osv.remove('Hex', 'Hex-3');
    await expectRecovery(run, 'Hex', ['Hex-1']);
    const modified = new Date().toISOString();
    run.osv.put('Pub', advisory('Pub', 4, { name: 'p1', modified }));
    await expectRecovery(run, 'Pub', ['Pub-1', 'Pub-3', 'Pub-4']);
    run.osv.remove('Pub', 'Pub-3');
    run.osv.remove('Pub', 'Pub-4');
    await expectRecovery(run, 'Pub', ['Pub-1', 'Pub-4']);
  });
});

describe('the list of modified records', () => {
  let run: Running;
  beforeAll(async () => {
    run = await startOnFeed('list', { betweenZips: 3600 });
  });
  afterAll(async () => {
    run?.osv.close();
    await run?.scanner.stop();
  });

  test('names the records to download, and the zip is not loaded again', async () => {
    run.osv.put('npm', advisory('npm', 3, { name: 'p1', modified: minute(1) }));
    await expectRecovery(run, 'npm', ['npm-1', 'npm-3']);
    expect(await partOf(run, 'npm')).toMatchObject({ records: 3, rejected: 0 });
    expect(run.osv.count('/npm/all.zip', 200)).toBe(1);
    expect(run.osv.count('/npm/npm-3.json', 200)).toBe(1);
    expect(run.osv.count('/npm/npm-1.json', 200)).toBe(0);
  });

  const faults: [Ecosystem, string, Fault, RegExp][] = [
    ['npm', 'modified_id.csv', { status: 500 }, /status 500/],
    ['PyPI', 'modified_id.csv', { body: '<html>Please sign in</html>\n' }, /has an invalid line/],
    ['crates.io', 'modified_id.csv', 'stall', /did not answer in time/],
    ['RubyGems', 'modified_id.csv', 'cut off', /could not be read/],
    ['Go', 'modified_id.csv', { body: '' }, /names no record/],
    ['NuGet', 'NuGet-9.json', { status: 503 }, /status 503/],
    ['Hex', 'Hex-9.json', 'cut off', /could not be read/],
    ['Pub', 'Pub-9.json', 'stall', /did not answer in time/],
  ];

  test('or a record of it that fails leaves the old data, says so, and recovers', async () => {
    const before = new Map<Ecosystem, string[]>();
    for (const ecosystem of ecosystems) before.set(ecosystem, await findingsOf(run, ecosystem));
    for (const [ecosystem, file, fault] of faults) {
      const modified = minute(2);
      run.osv.break(new RegExp(`^/${ecosystem}/${file}`), fault);
      run.osv.put(ecosystem, advisory(ecosystem, 9, { name: 'p1', modified }));
    }
    for (const [ecosystem, , , reason] of faults) {
      await eventually(async () => expect((await partOf(run, ecosystem)).error).toMatch(reason), {
        within,
        what: `${ecosystem} has failed`,
      });
      expect(await findingsOf(run, ecosystem)).toEqual(before.get(ecosystem));
      expect(await run.scanner.metric(`bomtrail_feed_failed{part="${ecosystem}"`)).toBe(1);
    }
    run.osv.heal();
    for (const [ecosystem] of faults) {
      const ids = [...(before.get(ecosystem) ?? []), advisory(ecosystem, 9).id];
      await expectRecovery(run, ecosystem, ids);
    }
  });

  test('names a record that is not there, or is none: it is counted, and taken once it can be read', async () => {
    const modified = minute(3);
    run.osv.break(/npm-4.json/, { status: 404 });
    run.osv.break(/npm-5.json/, { body: '{"id":' });
    for (const n of [4, 5, 6]) run.osv.put('npm', advisory('npm', n, { name: 'p1', modified }));
    await expectRecovery(run, 'npm', ['npm-1', 'npm-3', 'npm-6', 'npm-9']);
    expect(await partOf(run, 'npm')).toMatchObject({ rejected: 2, error: null });
    run.osv.heal();
    await expectRecovery(run, 'npm', ['npm-1', 'npm-3', 'npm-4', 'npm-5', 'npm-6', 'npm-9']);
    await eventually(async () => expect((await partOf(run, 'npm')).rejected).toBe(0), {
      within,
      what: 'nothing is left unread',
    });
  });

  test('has an older version of a record: the stored one stays', async () => {
    const [older, newer] = ['2025-01-01T00:00:00Z', minute(4)];
    run.osv.put('PyPI', { ...advisory('PyPI', 1, { modified: older }), fixed: '0.1.0' });
    run.osv.put('PyPI', advisory('PyPI', 7, { name: 'p1', modified: newer }));
    await expectRecovery(run, 'PyPI', ['PyPI-1', 'PyPI-7', 'PyPI-9']);
  });

  test('names very many: the zip is taken instead', async () => {
    const modified = minute(5);
    const taken = run.osv.count('/Pub/all.zip', 200);
    for (let n = 1000; n < 1501; n += 1) run.osv.put('Pub', advisory('Pub', n, { modified }));
    await eventually(async () => expect((await partOf(run, 'Pub')).records).toBe(504), {
      within,
      what: 'all are held',
    });
    expect(run.osv.count('/Pub/all.zip', 200)).toBe(taken + 1);
    expect(run.osv.count('/Pub/Pub-1000.json', 200)).toBe(0);
  });

  test('is missing: the zip is requested conditionally', async () => {
    run.osv.withoutList('Hex');
    const unchanged = run.osv.count('/Hex/all.zip', 304);
    const taken = run.osv.count('/Hex/all.zip', 200);
    // The zip has more than when it was taken, so it is taken once.
    await eventually(() => run.osv.count('/Hex/all.zip', 304) > unchanged, {
      within,
      what: 'the zip is found unchanged',
    });
    expect(run.osv.count('/Hex/all.zip', 200)).toBe(taken + 1);
  });
});
