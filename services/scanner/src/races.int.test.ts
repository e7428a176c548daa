import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder } from './testing/feed-folder';
import { startScanner } from './testing/scanner-under-test';

let servers: TestServers;

beforeAll(async () => {
  servers = await startTestServers();
}, 120_000);
afterAll(() => servers?.stop());

const packages = 12;
const rounds = 5;
const setsPerRound = 12;

/** In round `r` package `n` is affected below this version. */
function fixedIn(round: number, n: number): string {
  return `${1 + ((round * 7 + n * 3) % 9)}.0.0`;
}

function isAffected(round: number, n: number, major: number): boolean {
  return major < Number(fixedIn(round, n).split('.')[0]);
}

test('scans and feed changes at the same time leave no set with the findings of an old revision', async () => {
  const feed = await makeFeedFolder();
  const putRound = async (round: number): Promise<void> => {
    for (let n = 0; n < packages; n += 1) {
      const modified = `2026-01-0${round + 1}T00:00:00Z`;
      const id = `GHSA-${n}`;
      await feed.put('npm', { id, name: `p${n}`, fixed: fixedIn(round, n), modified });
    }
  };
  await putRound(0);
  const one = await startScanner(servers, { source: feed.path, name: 'race' });
  const sets: { digest: string; holds: { n: number; major: number }[] }[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const { revision } = (await one.state()) ?? { revision: 0 };
      await putRound(round);
      // Sets go in all the while until the change is settled: before, during and after it.
      let settled = false;
      const waiting = one.nextRevision(revision).then(() => (settled = true));
      for (let s = 0; s < setsPerRound || !settled; s += 1) {
        const holds = [0, 1, 2].map((k) => ({ n: (s * 3 + k) % packages, major: (s + k) % 9 }));
        const purls = holds.map(({ n, major }) => ({ purl: `pkg:npm/p${n}@${major}.0.0` }));
        const digest = one.putSet([...purls, { purl: `pkg:npm/only-${round}-${s}@1.0.0` }]);
        sets.push({ digest, holds });
        await one.scan(digest);
      }
      await waiting;
    }
    // Files of a round may have been picked up in two looks: wait for the content of the last one.
    const last = `2026-01-0${rounds + 1}T00:00:00.000Z`;
    await eventually(
      async () => {
        const older = { modified: { $ne: last } };
        expect(await one.db.collection('advisories').countDocuments(older)).toBe(0);
        const now = await one.state();
        expect(now?.settled_revision).toBe(now?.revision);
      },
      { within: 20_000, what: 'the last change is settled' },
    );
    await eventually(
      async () => {
        const open = { unannounced: true };
        expect(await one.db.collection('component_sets').countDocuments(open)).toBe(0);
      },
      { within: 20_000, what: 'all changes are told' },
    );
    for (const { digest, holds } of sets) {
      const { findings } = await one.findings(digest);
      const expected = holds.filter(({ n, major }) => isAffected(rounds, n, major));
      expect(findings.map(({ package_key }) => package_key).sort()).toEqual(
        expected.map(({ n }) => `npm|p${n}`).sort(),
      );
    }
    expect(sets.length).toBeGreaterThanOrEqual(rounds * setsPerRound);
  } finally {
    await one.stop();
  }
}, 120_000);
