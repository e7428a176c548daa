import type { FindingsReport, SetsFindings } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/service-kit';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { loadFeed } from './load-feed';
import { readFindings } from './read-findings';
import { readFindingsOfSets } from './read-findings-of-sets';
import { scanComponentSet } from './scan-component-set';

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

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('sets');
  deps = makeUseCaseDeps(db, components);
  const records = [
    osvJson('npm', { id: 'ADV-1', name: 'left' }),
    osvJson('npm', { id: 'ADV-2', name: 'right', fixed: '2.5.0' }),
    osvJson('npm', { id: 'ADV-3', name: 'right', fixed: '1.5.0' }),
    osvJson('npm', { id: 'ADV-4', name: 'both' }),
  ];
  const never = new AbortController().signal;
  await loadFeed(deps, sourceOf('npm', records, { edition: '1' }), never);
  for (const digest of digests) await scanComponentSet(deps, digest);
});
afterAll(() => databases?.stop());

/** The findings of each set with their details, from one answer. */
async function together(asked: string[], packages: string[] | null) {
  const { answered, report } = await readFindingsOfSets(deps, { digests: asked, packages });
  expect(answered).toBe(asked.length);
  const { sets, findings, vulnerabilities } = (await unpackJson(report)) as SetsFindings;
  const told = sets.map(({ digest, revision, findings: places }) => {
    const own = places.map((place) => {
      const finding = findings[place];
      return [finding, finding && vulnerabilities[finding.details]];
    });
    return [digest, { revision, findings: own }] as const;
  });
  return { told: Object.fromEntries(told), distinct: findings.length };
}

async function alone(digest: string, packages: string[] | null) {
  const { revision, report } = await readFindings(deps, digest);
  const { findings, vulnerabilities } = (await unpackJson(report)) as FindingsReport;
  const wanted = findings.filter(({ package_key }) => packages?.includes(package_key) ?? true);
  return { revision, findings: wanted.map((one) => [one, vulnerabilities[one.details]]) };
}

describe('the findings of several component sets', () => {
  test.each([[null], [['npm|right']], [['npm|left', 'npm|both']], [['npm|nobody-has-it']]])(
    'of packages %j are those of each set asked alone',
    async (packages) => {
      const { told } = await together(digests, packages);
      for (const digest of digests) {
        expect([digest, told[digest]]).toEqual([digest, await alone(digest, packages)]);
      }
    },
  );

  test('stand there once, however many sets share them', async () => {
    const { told, distinct } = await together(digests, ['npm|left']);
    expect([told['a']?.findings.length, told['b']?.findings.length, distinct]).toEqual([1, 1, 1]);
  });

  test('leave out a set that was not evaluated, which keeps the others from nothing', async () => {
    const { told } = await together(['nowhere', 'a'], null);
    expect(Object.keys(told)).toEqual(['a']);
  });
});
