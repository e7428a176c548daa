import { gzipSync } from 'node:zlib';
import type { FindingsReport } from '@bomtrail/messages';
import { unpackLines } from '@bomtrail/messaging';
import type { Db } from 'mongodb';
import { loadFeed } from '../feeds/load-feed';
import { scanComponentSet } from '../matching/scan-component-set';
import { osvJson } from '../testing/feed-folder';
import { readFindings } from '../testing/read-findings';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { matchComponents } from './match-components';
import { readCoverage } from './read-coverage';

let databases: TestDatabases;
let db: Db;
const never = new AbortController().signal;
const components: Record<string, string[]> = {};

const records = (fixed: string, modified: string) =>
  ['alpha', 'beta', 'gamma'].flatMap((name) =>
    [1, 2].map((n) => osvJson('npm', { id: `ADV-${name}-${n}`, name, fixed, modified })),
  );

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('match_components');
  const source = sourceOf('npm', records('2.0.0', '2026-01-01T00:00:00Z'), { edition: '1' });
  await loadFeed(makeUseCaseDeps(db, components), source, never);
});
afterAll(() => databases?.stop());

/** The same process has no memory of what another one stored. */
const freshDeps = (): UseCaseDeps => makeUseCaseDeps(db, components);

async function check(deps: UseCaseDeps, purls: readonly string[]) {
  const set = purls.map((purl) => ({ purl, name: purl, version: '', is_direct: true }));
  const given = { roots: [], packed: gzipSync(JSON.stringify(set)) };
  const { packed, ...match } = await matchComponents(deps, given, never);
  const reports: FindingsReport[] = [];
  for await (const report of unpackLines(packed)) reports.push(report as FindingsReport);
  return { match, reports, found: reports.flatMap(described).sort() };
}

/** Each finding with its details, as text. */
const described = ({ findings, vulnerabilities }: FindingsReport): string[] =>
  findings.map((one) => JSON.stringify([one, vulnerabilities[one.details]]));

async function stored(): Promise<Record<string, number>> {
  const names = (await db.listCollections().toArray()).map(({ name }) => name).sort();
  const counts = names.map(async (name) => [name, await db.collection(name).countDocuments()]);
  return Object.fromEntries(await Promise.all(counts)) as Record<string, number>;
}

const purls = ['gamma@1.0.0', 'alpha@1.0.0', 'beta@1.5.0', 'alpha@1.0.1', 'beta@3.0.0', 'no@1.0.0'];
const document = [...purls.map((one) => `pkg:npm/${one}`), 'pkg:nothing/x@1'];

test('what is stored nowhere has the findings and the coverage of its scan, and stays stored nowhere', async () => {
  const before = await stored();
  const { match, found, reports } = await check(freshDeps(), document);
  expect(await stored()).toEqual(before);
  const keys = reports.flatMap(({ findings }) => findings.map(({ package_key }) => package_key));
  expect(keys).toEqual([...keys].sort());
  expect(found).toHaveLength(8);

  components['scanned'] = document;
  const scanning = freshDeps();
  await scanComponentSet(scanning, 'scanned');
  expect(found).toEqual(described(await readFindings(scanning, 'scanned')).sort());
  const { coverage, revision, advisory_data } = await readCoverage(scanning, 'scanned');
  expect(match).toEqual({ coverage, revision, advisory_data });
});

test('package versions that are stored, but older than the advisories, are judged by these and stay as they are', async () => {
  components['old'] = ['pkg:npm/alpha@1.9.0', 'pkg:npm/beta@1.9.0'];
  await scanComponentSet(freshDeps(), 'old');
  const versions = () => db.collection('package_versions').find().sort({ _id: 1 }).toArray();
  const source = sourceOf('npm', records('1.9.0', '2026-02-01T00:00:00Z'), { edition: '2' });
  await loadFeed(freshDeps(), source, never);
  const before = await versions();
  const { found } = await check(freshDeps(), ['pkg:npm/alpha@1.9.0', 'pkg:npm/alpha@1.8.0']);
  expect(found).toHaveLength(2);
  expect(found[0]).toContain('"fixed_versions":["1.9.0"]');
  expect(await versions()).toEqual(before);
});

test('more matches than are kept in memory are assessed again', async () => {
  const many = Array.from({ length: 8_000 }, (_one, n) => `pkg:npm/alpha@1.0.${n}`);
  const { found, match } = await check(freshDeps(), many);
  expect(found).toHaveLength(2 * many.length);
  expect(match.coverage).toMatchObject({ components: many.length, evaluated: many.length });
}, 60_000);

test('a check leaves no assessment that a later scan would take for stored', async () => {
  const deps = freshDeps();
  const purl = 'pkg:npm/alpha@1.7.7';
  await check(deps, [purl]);
  components['later'] = [purl];
  await scanComponentSet(deps, 'later');
  const versions = db.collection('package_versions');
  expect(await versions.countDocuments({ name: 'alpha', version: '1.7.7' })).toBe(1);
});
