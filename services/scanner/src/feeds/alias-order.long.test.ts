import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  eventually,
  sequence,
  shuffled,
  startTestServers,
  type TestServers,
} from '@bomtrail/testkit';
import { makeFeedFolder, type AdvisoryFixture, type FeedFolder } from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest | null = null;
let feed: FeedFolder | null = null;

beforeAll(async () => {
  servers = await startTestServers();
});
afterAll(async () => {
  await scanner?.stop();
  await feed?.discard();
  await servers?.stop();
});

/**
 * Orders that are tried at once, each with a package and ids of its own. 1,000 take half a minute:
 * `BOMTRAIL_TEST_ALIAS_ORDERS=1000`. The rules themselves are tried with 1,000 in every run
 * (`alias-groups.test.ts`, the reconciler's `alias-order.test.ts`).
 */
const ORDERS = Number(process.env['BOMTRAIL_TEST_ALIAS_ORDERS'] ?? 100);
const SETS = 20;
const PATIENCE = 60_000;

/** The records of one vulnerability, and one of another vulnerability in the same package. */
function recordsOf(number: string): AdvisoryFixture[] {
  const name = `package-${number}`;
  const record = (id: string, aliases: string[], rest: object = {}): AdvisoryFixture => ({
    id: `${id}-${number}`,
    name,
    aliases: aliases.map((alias) => `${alias}-${number}`),
    ...rest,
  });
  return [
    record('GHSA', ['CVE-1'], { fixed: '1.5.0' }),
    record('TEST', ['GHSA'], { fixed: '1.6.0' }),
    record('OSV', ['CVE-2'], { fixed: '1.5.0' }),
    record('LINK', ['CVE-1', 'CVE-2'], { name: `elsewhere-${number}` }),
    record('OTHER', ['CVE-3'], { fixed: '2.0.0' }),
  ];
}

/** What is to be said of each package in the end, without its number. */
const WANTED = [
  {
    cve_id: 'CVE-1-#',
    aliases: ['CVE-1-#', 'CVE-2-#', 'GHSA-#', 'LINK-#', 'OSV-#', 'TEST-#'],
    advisory_ids: ['GHSA-#', 'OSV-#', 'TEST-#'],
    fixed_versions: ['1.5.0', '1.6.0'],
  },
  {
    cve_id: 'CVE-3-#',
    aliases: ['CVE-3-#', 'OTHER-#'],
    advisory_ids: ['OTHER-#'],
    fixed_versions: ['2.0.0'],
  },
];

/** What is said of every package of a set, each without its number. */
async function descriptionsByPackage(
  one: ScannerUnderTest,
  digest: string,
): Promise<Map<string, unknown[]>> {
  const { findings, vulnerabilities } = await one.findings(digest);
  const byPackage = new Map<string, unknown[]>();
  for (const { package_name, fixed_versions, details } of findings) {
    const { cve_id, aliases, advisory_ids } = vulnerabilities[details] ?? {};
    const number = package_name.slice(package_name.indexOf('-') + 1);
    const text = JSON.stringify({ cve_id, aliases, advisory_ids, fixed_versions });
    const row: unknown = JSON.parse(text.replaceAll(number, '#'));
    byPackage.set(package_name, [...(byPackage.get(package_name) ?? []), row]);
  }
  return byPackage;
}

test(`the aliases of one vulnerability, loaded in ${ORDERS} random orders before the first scan and between scans, are one finding in the end`, async () => {
  const random = sequence(20_260_101);
  const numbers = Array.from({ length: ORDERS }, (_, index) => String(index).padStart(5, '0'));
  const orders = numbers.map((number) => shuffled(recordsOf(number), random));
  feed = await makeFeedFolder();
  await feed.put('npm', { id: 'FIRST', name: 'none-of-these' });
  scanner = await startScanner(servers, { source: feed.path, name: 'aliases' });
  const one = scanner;
  let revision = await one.nextRevision(0);

  const perSet = ORDERS / SETS;
  const digests = Array.from({ length: SETS }, (_, index) =>
    one.putSet(
      numbers.slice(index * perSet, (index + 1) * perSet).map((number) => ({
        purl: `pkg:npm/package-${number}@1.0.0`,
        name: `package-${number}`,
        version: '1.0.0',
      })),
    ),
  );
  // Half of the sets are scanned for the first time somewhere between, the others at the end.
  const firstScan = digests.map((_, index) => (index % 2 === 0 ? random(5) : 5));
  for (let step = 0; step < 5; step++) {
    const due = digests.filter((_, index) => firstScan[index] === step);
    for (const order of orders) {
      const record = order[step];
      if (record) await feed.put('npm', record);
    }
    await Promise.all(due.map((digest) => one.scan(digest)));
    revision = await one.nextRevision(revision);
  }
  const total = 1 + 5 * ORDERS;
  await eventually(
    async () => {
      const now = await one.state();
      const [part] = now?.parts ?? [];
      return part?.records === total && now?.applied_revision === now?.revision;
    },
    { within: PATIENCE, what: 'all records are in force and settled' },
  );
  await Promise.all(
    digests.filter((_, index) => firstScan[index] === 5).map((digest) => one.scan(digest)),
  );

  for (const digest of digests) {
    const packages = await descriptionsByPackage(one, digest);
    expect(packages.size).toBe(perSet);
    for (const [name, rows] of packages) {
      const sorted = rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
      expect({ name, rows: sorted }).toEqual({
        name,
        rows: WANTED.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
      });
    }
  }
});
