import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setTimeout as yieldToEventLoop } from 'node:timers/promises';
import type { Finding } from '@bomtrail/messages';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder } from '../testing/feed-folder';
import { startScanner } from '../testing/scanner-under-test';

let servers: TestServers;

beforeAll(async () => {
  servers = await startTestServers();
});
afterAll(() => servers?.stop());

const packages = 12;
const rounds = 4;
const setsPerRound = 12;

/** In round `r` package `n` is affected below this version. */
function fixedIn(round: number, n: number): string {
  return `${1 + ((round * 7 + n * 3) % 9)}.0.0`;
}

function isAffected(round: number, n: number, major: number): boolean {
  return major < Number(fixedIn(round, n).split('.')[0]);
}

function summary(finding: Finding): string {
  return `${finding.package_key} < ${finding.fixed_versions.join()}`;
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
  // What somebody knows who reads the findings whenever it is told of a set, and never otherwise.
  const known = new Map<string, { revision: number; packages: string[] }>();
  let listening = true;
  const overstated: string[] = [];
  async function listen(
    events: readonly { digest: string; evaluated_revision?: number | undefined }[],
  ): Promise<void> {
    for (let next = 0; listening || next < events.length;) {
      const event = events[next];
      if (event) {
        const { revision, findings } = await one.findings(event.digest);
        if (revision < (event.evaluated_revision ?? 0)) overstated.push(event.digest);
        const packages = findings.map(summary).sort();
        if (revision >= (known.get(event.digest)?.revision ?? 0))
          known.set(event.digest, { revision, packages });
        next += 1;
      } else await yieldToEventLoop(5);
    }
  }
  const listeners = [listen(one.completed), listen(one.changed)];
  const sets: { digest: string; contents: { n: number; major: number }[] }[] = [];
  try {
    for (let round = 1; round <= rounds; round += 1) {
      const { revision } = (await one.state()) ?? { revision: 0 };
      await putRound(round);
      // Sets go in all the while until the change is settled: before, during and after it.
      let applied = false;
      const waiting = one.nextRevision(revision).then(() => (applied = true));
      for (let s = 0; s < setsPerRound || !applied; s += 1) {
        const contents = [0, 1, 2].map((k) => ({ n: (s * 3 + k) % packages, major: (s + k) % 9 }));
        const purls = contents.map(({ n, major }) => ({ purl: `pkg:npm/p${n}@${major}.0.0` }));
        const digest = one.putSet([...purls, { purl: `pkg:npm/only-${round}-${s}@1.0.0` }]);
        sets.push({ digest, contents });
        await one.scan(digest);
      }
      await waiting;
    }
    // Files of a round may have been picked up in two looks: wait for the content of the last one.
    const last = `2026-01-0${rounds + 1}T00:00:00.000Z`;
    await eventually(
      async () => {
        const older = { modified: { $ne: last } };
        const advisories = one.db.collection<{ from_revision: number }>('advisories');
        expect(await advisories.countDocuments(older)).toBe(0);
        // A record is stored before the revision that brings it into force.
        const [newest] = await advisories.find().sort({ from_revision: -1 }).limit(1).toArray();
        const now = await one.state();
        expect(now?.revision).toBeGreaterThanOrEqual(newest?.from_revision ?? Infinity);
        expect(now?.applied_revision).toBe(now?.revision);
      },
      { what: 'the last change is settled' },
    );
    await eventually(
      async () => {
        const open = { unpublished: true };
        expect(await one.db.collection('component_sets').countDocuments(open)).toBe(0);
      },
      { what: 'all changes are told' },
    );
    const changedCount = await one.db.collection<{ _id: string }>('component_sets').countDocuments({
      published_revision: { $gt: 0 },
    });
    await eventually(() => new Set(one.changed.map(({ digest }) => digest)).size >= changedCount, {
      what: 'the last announcement is heard',
    });
    listening = false;
    await Promise.all(listeners);
    for (const { digest, contents } of sets) {
      const affected = contents.filter(({ n, major }) => isAffected(rounds, n, major));
      const expected = affected.map(({ n }) => `npm|p${n} < ${fixedIn(rounds, n)}`).sort();
      const { findings } = await one.findings(digest);
      expect(findings.map(summary).sort()).toEqual(expected);
      expect(known.get(digest)?.packages).toEqual(expected);
    }
    expect(overstated).toEqual([]);
    expect(sets.length).toBeGreaterThanOrEqual(rounds * setsPerRound);
  } finally {
    listening = false;
    await Promise.allSettled(listeners);
    await one.stop();
    await feed.discard();
  }
});
