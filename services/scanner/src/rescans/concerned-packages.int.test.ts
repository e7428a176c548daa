import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder, type AdvisoryFixture, type FeedFolder } from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest;
let feed: FeedFolder;

beforeAll(async () => {
  servers = await startTestServers();
  feed = await makeFeedFolder();
  await feed.put('npm', { id: 'GHSA-aaaa', name: 'left', fixed: '1.5.0', aliases: ['CVE-2026-1'] });
  await feed.put('npm', { id: 'GHSA-bbbb', name: 'other', fixed: '1.5.0' });
  await feed.put('PyPI', { id: 'PYSEC-1', name: 'right', fixed: '3.0' });
  await feed.put('npm', { id: 'CVE-2026-2', name: 'nobody-has-it' });
  scanner = await startScanner(servers, { source: feed.path, name: 'concerned' });
});
afterAll(async () => {
  await scanner?.stop();
  await feed?.discard();
  await servers?.stop();
});

const components = [
  { purl: 'pkg:npm/left@1.2.0', name: 'left', version: '1.2.0' },
  { purl: 'pkg:npm/other@1.2.0', name: 'other', version: '1.2.0' },
  { purl: 'pkg:pypi/Right@2.0', name: 'Right', version: '2.0' },
  { purl: 'pkg:npm/clean@1.0.0', name: 'clean', version: '1.0.0' },
];

/** What is said of each package. */
async function findingsByPackage(digest: string): Promise<Map<string, string>> {
  const { findings, vulnerabilities } = await scanner.findings(digest);
  const textByPackage = new Map<string, string>();
  for (const finding of findings) {
    const text = JSON.stringify([finding, vulnerabilities[finding.details]]);
    textByPackage.set(
      finding.package_key,
      `${textByPackage.get(finding.package_key) ?? ''}${text}`,
    );
  }
  return textByPackage;
}

const later = '2026-02-01T00:00:00Z';
const changes: [string, 'npm' | 'PyPI', AdvisoryFixture, string[]][] = [
  ['a first match', 'npm', { id: 'GHSA-new', name: 'clean' }, ['npm|clean']],
  ['a further match', 'npm', { id: 'GHSA-more', name: 'left' }, ['npm|left']],
  [
    'another fix',
    'npm',
    { id: 'GHSA-bbbb', name: 'other', fixed: '1.6.0', modified: later },
    ['npm|other'],
  ],
  [
    'another text',
    'PyPI',
    { id: 'PYSEC-1', name: 'right', fixed: '3.0', summary: 'Worse', modified: later },
    ['PyPI|right'],
  ],
  [
    'a further name, told by an alias that matches nothing itself',
    'npm',
    { id: 'CVE-2026-1', name: 'nobody-has-it', aliases: ['OSV-7'], modified: later },
    ['npm|left'],
  ],
  [
    'an alias that makes two vulnerabilities one',
    'npm',
    { id: 'GHSA-more', name: 'left', aliases: ['CVE-2026-1'], modified: later },
    ['npm|left'],
  ],
  [
    'a withdrawal of the last match',
    'npm',
    { id: 'GHSA-new', name: 'clean', modified: later, withdrawn: later },
    ['npm|clean'],
  ],
];

test('a change names the packages of which anything is said otherwise, and no other one', async () => {
  const digest = scanner.putSet(components);
  await scanner.scan(digest);
  let before = await findingsByPackage(digest);
  for (const [what, ecosystem, advisory, expected] of changes) {
    const revision = (await scanner.state())?.revision ?? 0;
    scanner.concerned.length = 0;
    await feed.put(ecosystem, advisory);
    await scanner.nextRevision(revision);
    await eventually(() => scanner.concerned.length > 0, { what });
    const after = await findingsByPackage(digest);
    const all = new Set([...before.keys(), ...after.keys()]);
    const differing = [...all].filter((key) => before.get(key) !== after.get(key));
    expect([what, differing]).toEqual([what, expected]);
    expect([what, scanner.concerned]).toEqual([what, [expected]]);
    before = after;
  }
});
