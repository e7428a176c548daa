import type { AppError, SetsFindings } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { loadFeed } from '../feeds/load-feed';
import { readFindings } from '../testing/read-findings';
import { readFindingsOfSets } from './read-findings-of-sets';
import { applyChanges } from '../rescans/apply-changes';
import { maxRounds } from './set-at';
import { evaluateAgain, scanComponentSet } from '../matching/scan-component-set';

let databases: TestDatabases;
let db: Db;
let deps: UseCaseDeps;

const purl = (name: string, version: string): string => `pkg:npm/${name}@${version}`;
const components: Record<string, string[]> = {
  a: [purl('left', '1.0.0'), purl('right', '1.0.0'), purl('clean', '1.0.0')],
  b: [purl('left', '1.0.0'), purl('right', '2.0.0')],
  c: [purl('clean', '1.0.0')],
  d: [purl('right', '1.0.0'), purl('right', '2.0.0'), purl('both', '1.0.0')],
};
const digests = Object.keys(components);
const records = [
  osvJson('npm', { id: 'ADV-1', name: 'left' }),
  osvJson('npm', { id: 'ADV-2', name: 'right', fixed: '2.5.0' }),
  osvJson('npm', { id: 'ADV-3', name: 'right', fixed: '1.5.0' }),
  osvJson('npm', { id: 'ADV-4', name: 'both' }),
];

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('sets');
  deps = makeUseCaseDeps(db, components);
  await load(deps, { edition: '1', records });
  for (const digest of digests) await scanComponentSet(deps, digest);
});
afterAll(() => databases?.stop());

async function load(
  by: UseCaseDeps,
  feed: { edition: string; records: typeof records },
): Promise<void> {
  await loadFeed(by, sourceOf('npm', feed.records, feed), new AbortController().signal);
}

/** The findings of each set with their details, from one answer. */
async function readBatched(requested: string[], packages: string[] | null) {
  const { answered, report } = await readFindingsOfSets(deps, { digests: requested, packages });
  expect(answered).toBe(requested.length);
  const { sets, findings, vulnerabilities } = (await unpackJson(report)) as SetsFindings;
  const bySet = sets.map(({ digest, revision, findings: positions }) => {
    const own = positions.map((position) => {
      const finding = findings[position];
      return [finding, finding && vulnerabilities[finding.details]];
    });
    return [digest, { revision, findings: own }] as const;
  });
  return { bySet: Object.fromEntries(bySet), distinct: findings.length };
}

async function alone(digest: string, packages: string[] | null) {
  const { revision, findings, vulnerabilities } = await readFindings(deps, digest);
  const wanted = findings.filter(({ package_key }) => packages?.includes(package_key) ?? true);
  return { revision, findings: wanted.map((one) => [one, vulnerabilities[one.details]]) };
}

describe('the findings of several component sets', () => {
  test.each([[null], [['npm|right']], [['npm|left', 'npm|both']], [['npm|nobody-has-it']]])(
    'of packages %j are those of each set asked alone',
    async (packages) => {
      const { bySet } = await readBatched(digests, packages);
      for (const digest of digests) {
        expect([digest, bySet[digest]]).toEqual([digest, await alone(digest, packages)]);
      }
    },
  );

  test('stand there once, however many sets share them', async () => {
    const { bySet, distinct } = await readBatched(digests, ['npm|left']);
    expect([bySet['a']?.findings.length, bySet['b']?.findings.length, distinct]).toEqual([1, 1, 1]);
  });

  test('leave out a set that was not evaluated, which keeps the others from nothing', async () => {
    const { bySet } = await readBatched(['nowhere', 'a'], null);
    expect(Object.keys(bySet)).toEqual(['a']);
  });

  test('are read in groups if there are many sets, in the order of the request', async () => {
    const many = Array.from({ length: 150 }, (_, n) => `many-${n}`);
    for (const [n, digest] of many.entries())
      components[digest] = [purl(n % 2 === 0 ? 'left' : 'clean', '1.0.0')];
    await Promise.all(many.map((digest) => scanComponentSet(deps, digest)));
    const { bySet } = await readBatched(['nowhere', ...many, 'a'], null);
    expect(Object.keys(bySet)).toEqual([...many, 'a']);
    const counts = many.map((digest) => bySet[digest]?.findings.length);
    expect(counts).toEqual(many.map((_, n) => (n % 2 === 0 ? 1 : 0)));
  });

  test('are those of the advisories in force, whichever this process has seen', async () => {
    const before = await readBatched(['c'], null);
    const other = makeUseCaseDeps(db, components);
    const added = osvJson('npm', { id: 'ADV-5', name: 'clean' });
    await load(other, { edition: '2', records: [...records, added] });
    await evaluateAgain(other, 'c', 'change');
    const after = await readBatched(['c'], null);
    expect(before.bySet['c']?.findings).toEqual([]);
    expect(after.bySet['c']).toEqual(await alone('c', null));
    expect(after.bySet['c']?.findings).toHaveLength(1);
  });

  test('have the text that another process brought into force, whichever this process has seen', async () => {
    const other = makeUseCaseDeps(db, components);
    const never = new AbortController().signal;
    await applyChanges(other, never);
    await readBatched(['b'], null);
    const modified = '2026-03-01T00:00:00Z';
    const changed = osvJson('npm', { id: 'ADV-1', name: 'left', summary: 'Worse', modified });
    await load(other, { edition: '3', records: [changed, ...records.slice(1)] });
    await applyChanges(other, never);
    const { bySet } = await readBatched(['b'], ['npm|left']);
    const { revision } = await other.feed.read();
    expect(bySet['b']).toMatchObject({ revision, findings: [[{}, { title: 'Worse' }]] });
  });

  test('are read again after a failover to another state with the same stamp', async () => {
    const state = await deps.feed.read();
    const lost = { ...state, revision: state.revision + 1, applied_revision: state.revision + 1 };
    const feed = { read: deps.feed.read, latest: async () => lost } as typeof deps.feed;
    const query = { digests: ['b'], packages: null };
    const { report } = await readFindingsOfSets({ ...deps, feed }, query);
    const { sets } = (await unpackJson(report)) as SetsFindings;
    expect(sets).toMatchObject([{ digest: 'b', revision: state.revision }]);
  });

  test.each([
    { changes: maxRounds, outcome: 'answered' },
    { changes: maxRounds + 1, outcome: 'service_unavailable' },
  ])('are $outcome after $changes changes, the first of them before the call', async (one) => {
    const state = await deps.feed.read();
    let reads = 0;
    const read = async () => ({ ...state, stamp: Math.min((reads += 1), one.changes) });
    const feed = { read, latest: async () => ({ ...state, stamp: 0 }) } as typeof deps.feed;
    const outcome = await readFindingsOfSets(
      { ...deps, feed },
      { digests: ['b'], packages: null },
    ).then(
      () => 'answered',
      (error: AppError) => error.code,
    );
    expect(outcome).toBe(one.outcome);
  });
});
