import type { FindingPackages, FindingsReport, SetsFindings } from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import type { Db } from 'mongodb';
import { osvJson } from '../testing/feed-folder';
import { startTestDatabases, type TestDatabases } from '../testing/test-databases';
import { makeUseCaseDeps, sourceOf, type UseCaseDeps } from '../testing/use-case-deps';
import { listFindingPackages } from './list-finding-packages';
import { loadFeed } from '../feeds/load-feed';
import { readFindings } from '../testing/read-findings';
import { readFindingsOfSets } from './read-findings-of-sets';
import { readFindingsPage } from './read-findings-page';
import { scanComponentSet } from '../matching/scan-component-set';
import { applyChanges } from '../rescans/apply-changes';

let databases: TestDatabases;
let db: Db;
let deps: UseCaseDeps;
const never = new AbortController().signal;

/** Versions of packages that each have as many advisories: 9,000 findings, more than one answer holds. */
const packages = ['alpha', 'beta', 'gamma'];
const versions = Array.from({ length: 10 }, (_one, n) => `1.0.${n}`);
const advisories = 300;
const big = packages.flatMap((name) => versions.map((version) => `pkg:npm/${name}@${version}`));
const components: Record<string, string[]> = { big, small: ['pkg:npm/alpha@1.0.0'] };
const keys = packages.map((name) => `npm|${name}`);

const records = (fixed: string, modified: string) =>
  packages.flatMap((name) =>
    Array.from({ length: advisories }, (_one, n) => ({
      ...osvJson('npm', { id: `ADV-${name}-${n}`, name, fixed, modified }),
      details: `A text of the usual length about ${name} and ${n}. `.repeat(220),
    })),
  );

beforeAll(async () => {
  databases = await startTestDatabases();
  db = await databases.open('pages');
  deps = makeUseCaseDeps(db, components);
  const source = sourceOf('npm', records('2.0.0', '2026-01-01T00:00:00Z'), { edition: '1' });
  await loadFeed(deps, source, never);
  for (const digest of Object.keys(components)) await scanComponentSet(deps, digest);
});
afterAll(() => databases?.stop());

async function pagesOf(digest: string, of: readonly string[]) {
  const pages: FindingsReport[] = [];
  for (let after: string | null = null; ;) {
    const page = await readFindingsPage(deps, { digest, packages: of, after });
    expect(page.restart).toBe(false);
    pages.push((await unpackJson(page.report)) as FindingsReport);
    if (page.next === null) return pages;
    after = page.next;
  }
}

const idsOf = ({ findings, vulnerabilities }: FindingsReport) =>
  findings.map((one) => [one, vulnerabilities[one.details]]);

describe('a set with more findings than one answer holds', () => {
  test('is not answered whole, and keeps the sets before it from nothing', async () => {
    const alone = await readFindingsOfSets(deps, { digests: ['big', 'small'], packages: null });
    expect(alone.answered).toBe(0);
    const behind = await readFindingsOfSets(deps, { digests: ['small', 'big'], packages: null });
    expect(behind.answered).toBe(1);
    const report = (await unpackJson(behind.report)) as SetsFindings;
    expect(report.sets.map(({ digest, findings }) => [digest, findings.length])).toEqual([
      ['small', advisories],
    ]);
    await expect(readFindings(deps, 'big')).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  test('is read in pages that joined are all of its findings, each once', async () => {
    const pages = await pagesOf('big', keys);
    expect(pages.length).toBeGreaterThan(1);
    const all = pages.flatMap(idsOf);
    const found = all.map(([finding, details]) => {
      const { purl } = finding as { purl: string };
      return `${purl} ${(details as { advisory_ids: string[] }).advisory_ids.join()}`;
    });
    const expected = big.flatMap((purl) => {
      const name = purl.slice('pkg:npm/'.length, purl.indexOf('@'));
      return Array.from({ length: advisories }, (_one, n) => `${purl} ADV-${name}-${n}`);
    });
    expect(found.sort()).toEqual(expected.sort());
  });

  test('gives those of single packages, and joined those of all', async () => {
    const each = [];
    for (const key of keys) each.push((await pagesOf('big', [key])).flatMap(idsOf));
    const all = (await pagesOf('big', keys)).flatMap(idsOf);
    expect(each.flat()).toHaveLength(all.length);
    const text = (one: unknown): string => JSON.stringify(one);
    expect(each.flat().map(text).sort()).toEqual(all.map(text).sort());
  });

  test('has its packages with how many there are in each', async () => {
    const { packages: packed } = await listFindingPackages(deps, ['big', 'small']);
    const counts = (await unpackJson(packed)) as FindingPackages;
    const of = (count: number) => count * advisories;
    expect(counts).toEqual({ 'npm|alpha': of(11), 'npm|beta': of(10), 'npm|gamma': of(10) });
    await expect(listFindingPackages(deps, ['nowhere'])).rejects.toMatchObject({
      code: 'sbom_not_found',
    });
  });

  test('is to be read again from the first page once the advisories have moved', async () => {
    const first = await readFindingsPage(deps, { digest: 'big', packages: keys, after: null });
    const source = sourceOf('npm', records('3.0.0', '2026-02-01T00:00:00Z'), { edition: '2' });
    await loadFeed(deps, source, never);
    await applyChanges(deps, never);
    const next = await readFindingsPage(deps, {
      digest: 'big',
      packages: keys,
      after: first.next,
    });
    expect(next).toMatchObject({ restart: true, next: null });
  });
});
