import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readCoverage } from '@bomtrail/messages';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import {
  makeFeedFolder,
  osvJson,
  type AdvisoryFixture,
  type FeedFolder,
} from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest | null = null;
let number = 0;
const folders: FeedFolder[] = [];

beforeAll(async () => {
  servers = await startTestServers();
});
afterEach(async () => {
  await scanner?.stop();
  scanner = null;
  for (const folder of folders.splice(0)) await folder.discard();
});
afterAll(() => servers?.stop());

async function put(feed: FeedFolder, release: string, advisory: AdvisoryFixture): Promise<void> {
  const [ecosystem = ''] = release.split(':');
  const json = JSON.stringify(osvJson(release, advisory));
  await feed.write(`${ecosystem}/${advisory.id}.json`, json);
}

async function startWithFeed(): Promise<{ feed: FeedFolder; one: ScannerUnderTest }> {
  const feed = await makeFeedFolder();
  folders.push(feed);
  const alias = { aliases: ['CVE-2026-1'] };
  await put(feed, 'Rocky Linux:9', { id: 'RLSA-1', name: 'bind', fixed: '32:9.16-9', ...alias });
  await put(feed, 'Rocky Linux:9', {
    id: 'RLSA-2',
    name: 'bind-libs',
    fixed: '32:9.16-8',
    ...alias,
  });
  await put(feed, 'Debian:12', { id: 'DSA-1', name: 'openssl', fixed: '3.0.11-1' });
  await put(feed, 'Debian:11', { id: 'DSA-2', name: 'curl', fixed: '7.74.0-1.3' });
  number += 1;
  scanner = await startScanner(servers, { source: feed.path, name: `distro${number}` });
  return { feed, one: scanner };
}

const rpm = {
  purl: 'pkg:rpm/rocky/bind-libs@9.16-5?epoch=32&upstream=bind-9.16-5.src.rpm&distro=rocky-9.2',
  name: 'bind-libs',
  version: '9.16-5',
};
const debOf = (name: string, distro: string, version = '3.0.9-1') => ({
  name,
  version,
  purl: `pkg:deb/debian/${name}@${version}?upstream=openssl&distro=${distro}`,
});

test('a package of RPM has one finding for what matches it by its own name and by its source’s', async () => {
  const { one } = await startWithFeed();
  const digest = one.putSet([rpm]);
  await one.scan(digest);
  const { findings } = await one.findings(digest);
  const { coverage } = (await one.request(readCoverage, { digest })).body;
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    package_name: 'bind-libs',
    package_key: 'Rocky Linux|bind-libs',
    package_version: '9.16-5',
    fixed_versions: ['32:9.16-8', '32:9.16-9'],
  });
  expect(coverage).toEqual({ components: 1, evaluated: 1, undetermined: {} });
});

test('two binaries of one source are two findings; another release, one that no advisory speaks of and none at all are not', async () => {
  const { one } = await startWithFeed();
  const digest = one.putSet([
    debOf('libssl3', 'debian-12'),
    debOf('openssl', 'bookworm'),
    debOf('libssl3', 'debian-11'),
    debOf('libssl3', 'debian-10'),
    debOf('libssl3', 'none'),
    debOf('libssl3', 'debian-12', '3.0.11-1'),
  ]);
  await one.scan(digest);
  const { findings } = await one.findings(digest);
  const { coverage } = (await one.request(readCoverage, { digest })).body;
  expect(findings.map(({ package_key }) => package_key).sort()).toEqual([
    'Debian|libssl3',
    'Debian|openssl',
  ]);
  const undetermined = { release_unknown: 1, feed_not_loaded: 1 };
  expect(coverage).toEqual({ components: 6, evaluated: 4, undetermined, undecided_advisories: 1 });
});

test('a change for the source alone reaches the sets that hold a binary of it', async () => {
  const { feed, one } = await startWithFeed();
  const usingSet = one.putSet([
    {
      purl: 'pkg:rpm/rocky/lvm2-libs@2.03-1?upstream=lvm2-2.03-1.src.rpm&distro=rocky-9',
      name: 'lvm2-libs',
      version: '2.03-1',
    },
  ]);
  const other = one.putSet([rpm]);
  for (const digest of [usingSet, other]) await one.scan(digest);
  expect((await one.findings(usingSet)).findings).toEqual([]);

  await put(feed, 'Rocky Linux:9', { id: 'RLSA-3', name: 'lvm2', fixed: '2.03-2' });
  const revision = await one.nextRevision(1);
  await eventually(() => one.changed.length > 0, { what: 'the change is told' });
  expect(one.changed).toEqual([{ digest: usingSet, revision }]);
  // By the name that its findings have, not by the source's.
  expect(one.concerned).toEqual([['Rocky Linux|lvm2-libs']]);
  expect((await one.findings(usingSet)).findings).toMatchObject([
    { package_key: 'Rocky Linux|lvm2-libs', fixed_versions: ['2.03-2'] },
  ]);
});
