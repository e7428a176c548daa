import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  judgePackageVersions,
  listAffectedComponents,
  type AffectedComponents,
  type JudgedVersions,
} from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder, type FeedFolder } from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest;
let feed: FeedFolder;

beforeAll(async () => {
  servers = await startTestServers();
  feed = await makeFeedFolder();
  await feed.put('npm', { id: 'GHSA-1', name: 'lodash', aliases: ['CVE-2026-1'], fixed: '2.0.0' });
  await feed.put('npm', { id: 'SNYK-1', name: 'lodash', aliases: ['CVE-2026-1'], fixed: '1.5.0' });
  await feed.put('npm', { id: 'GHSA-2', name: 'lodash', introduced: '2.0.0' });
  await feed.put('npm', { id: 'GHSA-3', name: 'lodash', withdrawn: '2026-01-02T00:00:00Z' });
  await feed.write(
    'Debian/DEBIAN-1.json',
    JSON.stringify({
      id: 'DEBIAN-1',
      modified: '2026-01-01T00:00:00Z',
      affected: [
        {
          package: { ecosystem: 'Debian:12', name: 'openssl' },
          ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '3.0.11-1' }] }],
        },
      ],
    }),
  );
  scanner = await startScanner(servers, { source: feed.path, name: 'judge' });
});
afterAll(async () => {
  await scanner?.stop();
  await feed?.discard();
  await servers?.stop();
});

test('versions that nothing uses are judged as a scan would judge them', async () => {
  const { body, attachment } = await scanner.request(judgePackageVersions, {
    packages: [
      {
        ecosystem: 'npm',
        names: [{ name: 'lodash', suffix: null }],
        versions: ['v1.0.0', '1.5.0', '2.0.0', 'latest'],
      },
      {
        ecosystem: 'Debian',
        names: [{ name: 'openssl', suffix: '12' }],
        versions: ['3.0.10-1', '3.0.11-1~deb12u1', '3.0.11-1'],
      },
      { ecosystem: 'npm', names: [{ name: 'unheard-of', suffix: null }], versions: ['1.0.0'] },
    ],
  });
  const judged = (await unpackJson(attachment ?? Buffer.alloc(0))) as JudgedVersions;
  const named = (positions: readonly number[]) =>
    positions.map((at) => judged.advisories[at]?.id).sort();
  expect(body.answered).toBe(3);
  const verdicts = judged.packages.map((versions) =>
    versions.map(({ affected, undecided }) => [named(affected), named(undecided)]),
  );
  expect(verdicts).toEqual([
    [
      [['GHSA-1', 'SNYK-1'], []],
      [['GHSA-1'], []],
      [['GHSA-2'], []],
      [[], ['GHSA-1', 'GHSA-2', 'SNYK-1']],
    ],
    [
      [['DEBIAN-1'], []],
      [['DEBIAN-1'], []],
      [[], []],
    ],
    [[[], []]],
  ]);
  const groupOf = (id: string) => judged.advisories.find((one) => one.id === id)?.group;
  expect(groupOf('GHSA-1')).toBe(groupOf('SNYK-1'));
  expect(groupOf('GHSA-1')).not.toBe(groupOf('GHSA-2'));
});

test('affected components come with the package versions that advisories know', async () => {
  const purl =
    'pkg:deb/debian/libssl3@3.0.9-1%2Bb1?arch=amd64&distro=debian-12&upstream=openssl%403.0.9-1';
  const libssl = { purl, name: 'libssl3', version: '3.0.9-1+b1' };
  const lodash = { purl: 'pkg:npm/lodash@1.0.0', name: 'lodash', version: '1.0.0' };
  const clean = { purl: 'pkg:npm/clean@1.0.0', name: 'clean', version: '1.0.0' };
  const both = scanner.putSet([libssl, lodash, clean]);
  const one = scanner.putSet([{ ...lodash }, { ...clean, version: '' }]);
  await scanner.scan(both);
  await scanner.scan(one);
  const digests = [both, 'f'.repeat(64), one];
  const { body, attachment } = await scanner.request(listAffectedComponents, { digests });
  const found = (await unpackJson(attachment ?? Buffer.alloc(0))) as AffectedComponents;
  expect(body.answered).toBe(3);
  expect(found.sets.map(({ digest }) => digest)).toEqual([both, one]);
  const [first, second] = found.sets.map(({ components }) =>
    (components ?? []).map((at) => {
      const { versions = [], ...component } = found.components[at] ?? {};
      return { ...component, versions: versions.map((position) => found.versions[position]) };
    }),
  );
  expect(first).toEqual([
    {
      package_key: 'Debian|libssl3',
      purl,
      package_name: 'libssl3',
      package_version: '3.0.9-1+b1',
      is_direct: true,
      versions: [{ ecosystem: 'Debian', suffix: '12', name: 'openssl', version: '3.0.9-1' }],
    },
    expect.objectContaining({ package_key: 'npm|lodash', package_version: '1.0.0' }),
  ]);
  expect(second).toEqual(first?.slice(1));
  expect(found.components).toHaveLength(2);
});
