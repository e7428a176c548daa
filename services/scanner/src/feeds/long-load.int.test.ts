import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { readFindings } from '../testing/read-findings';
import { scanComponentSet } from '../matching/scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('long_load');
});
afterAll(() => databases?.stop());

/** Several pages of a load. */
const packages = 1100;
const filesPerScan = 100;
const packagesPerSet = 40;
const older = '2026-01-01T00:00:00Z';
const newer = '2026-02-01T00:00:00Z';

/** In the second edition every third advisory is withdrawn, the others say more and have another alias. */
function editionOf(number: 1 | 2): object[] {
  return Array.from({ length: packages }, (_one, n) => {
    const id = `LONG-${n}`;
    const name = `long-${n}`;
    if (number === 1) return osvJson('npm', { id, name, modified: older, summary: 'one' });
    if (n % 3 === 0) return osvJson('npm', { id, name, modified: newer, withdrawn: newer });
    const aliases = [`CVE-2026-${n}`];
    return osvJson('npm', { id, name, modified: newer, summary: 'two', aliases });
  });
}

/** What is to be read of a set of such packages when an edition is in force. */
function expectedOf(number: 1 | 2, numbers: readonly number[]): string[] {
  const affected = number === 1 ? numbers : numbers.filter((n) => n % 3 !== 0);
  const nameOf = (n: number) => (number === 1 ? `LONG-${n} one` : `CVE-2026-${n} two`);
  return affected.map((n) => `long-${n} ${nameOf(n)}`).sort();
}

test('scans during a long load give exactly the old revision, and after it exactly the new one', async () => {
  const components: Record<string, string[]> = {};
  const numbersOf = new Map<string, number[]>();
  const deps = makeUseCaseDeps(db, components);
  /** Packages from all over the feed, in versions that nobody knows yet. */
  function putSet(digest: string): void {
    const step = Math.floor(packages / packagesPerSet);
    const numbers = Array.from(
      { length: packagesPerSet },
      (_one, k) => k * step + (numbersOf.size % 3),
    );
    numbersOf.set(digest, numbers);
    components[digest] = numbers.map((n) => `pkg:npm/long-${n}@1.0.${numbersOf.size}`);
  }
  async function expectEdition(digest: string, number: 1 | 2): Promise<number> {
    const { findings, vulnerabilities, revision } = await readFindings(deps, digest);
    const actual = findings.map(({ package_key, details }) => {
      const { cve_id, title } = vulnerabilities[details] ?? {};
      return `${package_key.replace('npm|', '')} ${cve_id} ${title}`;
    });
    expect({ digest, names: actual.sort() }).toEqual({
      digest,
      names: expectedOf(number, numbersOf.get(digest) ?? []),
    });
    return revision;
  }

  await loadFeed(deps, sourceOf('npm', editionOf(1), { edition: '1' }), never);
  const { revision: first } = await deps.feed.read();
  putSet('before');
  await scanComponentSet(deps, 'before');

  const beforeFile = async (index: number): Promise<void> => {
    if (index % filesPerScan !== 0) return;
    const digest = `during-${index}`;
    putSet(digest);
    await scanComponentSet(deps, digest);
    expect(await expectEdition(digest, 1)).toBe(first);
    expect(await expectEdition('before', 1)).toBe(first);
  };
  await loadFeed(deps, sourceOf('npm', editionOf(2), { edition: '2', beforeFile }), never);
  const { revision: second } = await deps.feed.read();
  expect(second).toBe(first + 1);

  // In force and not settled: what was evaluated before is read as of the old revision, whole.
  putSet('after');
  await scanComponentSet(deps, 'after');
  expect(await expectEdition('after', 2)).toBe(second);
  for (const digest of numbersOf.keys())
    if (digest !== 'after') expect(await expectEdition(digest, 1)).toBe(first);

  await applyChanges(deps, never);
  for (const digest of numbersOf.keys()) expect(await expectEdition(digest, 2)).toBe(second);
  // The last call finds it settled and removes what nobody can read any more.
  await applyChanges(deps, never);
  expect(await db.collection('superseded_advisories').countDocuments()).toBe(0);
});

test('a load that broke off shows nothing of itself, and the next one brings it into force', async () => {
  const name = 'broken-off';
  const components = {
    [name]: [`pkg:npm/${name}@1.0.0`],
    [`${name}-2`]: [`pkg:npm/${name}@1.0.1`],
  };
  const deps = makeUseCaseDeps(db, components);
  const recordOf = (fixed: string, modified: string) =>
    osvJson('npm', { id: 'ADV-BROKEN', name, fixed, modified });
  const others = Array.from({ length: 600 }, (_one, n) =>
    osvJson('npm', { id: `OTHER-${n}`, name: `other-${n}`, modified: older }),
  );
  const records = [recordOf('2.0.0', older), ...others];
  await loadFeed(deps, sourceOf(name, records, { edition: '1' }), never);
  await applyChanges(deps, never);
  const { revision } = await deps.feed.read();
  const findingsOf = async (digest: string): Promise<number> => {
    await scanComponentSet(deps, digest);
    return (await readFindings(deps, digest)).findings.length;
  };
  expect(await findingsOf(name)).toBe(1);

  const next = [recordOf('0.5.0', newer), ...others];
  const breaking = new AbortController();
  const beforeFile = async (index: number): Promise<void> => {
    if (index === 550) breaking.abort(new Error('the service is stopping'));
  };
  const source = sourceOf(name, next, { edition: '2', beforeFile });
  await expect(loadFeed(deps, source, breaking.signal)).rejects.toThrow('stopping');
  const written = { _id: 'ADV-BROKEN', from_revision: revision + 1 };
  const advisories = db.collection<{ _id: string; from_revision: number }>('advisories');
  expect(await advisories.countDocuments(written)).toBe(1);
  expect(await findingsOf(`${name}-2`)).toBe(1);

  await loadFeed(deps, sourceOf(name, next, { edition: '2' }), never);
  await applyChanges(deps, never);
  expect((await deps.feed.read()).revision).toBe(revision + 1);
  expect([await findingsOf(name), await findingsOf(`${name}-2`)]).toEqual([0, 0]);
});

test('what a load wrote after another process had gone on without it is brought into force by the next one', async () => {
  const name = 'overtaken';
  const components = { [name]: [`pkg:npm/${name}@1.0.0`] };
  const deps = makeUseCaseDeps(db, components);
  const recordOf = (id: string, aliases: string[] = []) =>
    osvJson('npm', { id, name, aliases, modified: newer });
  const findingsOf = async (digest: string): Promise<string[]> => {
    await scanComponentSet(deps, digest);
    const { vulnerabilities } = await readFindings(deps, digest);
    return Object.values(vulnerabilities).flatMap(({ advisory_ids }) => advisory_ids.join());
  };
  const records = [recordOf('OVERTAKEN-1', ['CVE-2026-1'])];
  await loadFeed(deps, sourceOf(name, records, { edition: '1' }), never);
  await applyChanges(deps, never);
  expect(await findingsOf(name)).toEqual(['OVERTAKEN-1']);

  // It sleeps for longer than its lease holds.
  const beforeFile = async (index: number): Promise<void> => {
    if (index !== 0) return;
    const faster = sourceOf(
      `${name}-faster`,
      [osvJson('npm', { id: 'FASTER-1', name: 'faster' })],
      {
        edition: '1',
      },
    );
    await loadFeed(deps, faster, never);
    await applyChanges(deps, never);
  };
  const next = [...records, recordOf('OVERTAKEN-2', ['CVE-2026-1'])];
  const asleep = sourceOf(name, next, { edition: '2', beforeFile });
  await expect(loadFeed(deps, asleep, never)).rejects.toThrow('another process');

  await loadFeed(deps, sourceOf(name, next, { edition: '2' }), never);
  await applyChanges(deps, never);
  expect(await findingsOf(name)).toEqual(['OVERTAKEN-1,OVERTAKEN-2']);
});

test('a set that cannot be evaluated keeps its revision open, and is named', async () => {
  const name = 'unreadable-set';
  const components: Record<string, string[]> = { [name]: [`pkg:npm/${name}@1.0.0`] };
  const deps = makeUseCaseDeps(db, components);
  await scanComponentSet(deps, name);
  const records = [osvJson('npm', { id: 'ADV-UNREADABLE', name, modified: newer })];
  await loadFeed(deps, sourceOf(name, records, { edition: '1' }), never);
  const failing = {
    ...deps,
    request: async () => {
      throw new Error('ingest is away');
    },
  } as typeof deps;
  await expect(applyChanges(failing, never)).rejects.toThrow(`${name}: ingest is away`);
  const { revision, applied_revision } = await deps.feed.read();
  expect(applied_revision).toBe(revision - 1);
  await applyChanges(deps, never);
  expect((await readFindings(deps, name)).findings).toHaveLength(1);
});
