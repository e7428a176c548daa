import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readCoverage } from '@bomtrail/messages';
import { startTestServers, type TestServers } from '@bomtrail/testkit';
import {
  makeFeedFolder,
  osvJson,
  type AdvisoryFixture,
  type FeedFolder,
} from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let feed: FeedFolder;
let scanner: ScannerUnderTest;

/** One advisory for each family, about one release, by what its feed names: sources, or binaries. */
const ADVISORIES: readonly [string, string, AdvisoryFixture][] = [
  ['Debian', 'Debian:12', { id: 'BT-D1', name: 'openssl', fixed: '3.0.11-1~deb12u2' }],
  ['Debian', 'Debian:12', { id: 'BT-D2', name: 'lvm2', fixed: '2.03.16-3' }],
  ['Debian', 'Debian:13', { id: 'BT-D3', name: 'curl', fixed: '8.14.1-2' }],
  ['Alpine', 'Alpine:v3.18', { id: 'BT-A1', name: 'openssl', fixed: '3.1.0-r4' }],
  ['AlmaLinux', 'AlmaLinux:9', { id: 'BT-R1', name: 'openssl-libs', fixed: '1:3.0.7-6.el9_2' }],
  ['AlmaLinux', 'AlmaLinux:9', { id: 'BT-R2', name: 'curl', fixed: '7.76.1-23.el9_2.1' }],
];

beforeAll(async () => {
  servers = await startTestServers();
  feed = await makeFeedFolder();
  for (const [folder, ecosystem, advisory] of ADVISORIES) {
    await feed.write(`${folder}/${advisory.id}.json`, JSON.stringify(osvJson(ecosystem, advisory)));
  }
  scanner = await startScanner(servers, { source: feed.path, name: 'releases' });
});
afterAll(async () => {
  await scanner?.stop();
  await servers?.stop();
  await feed?.discard();
});

/** Components as scanners of images write them, with what is found in each: advisory and fix, or nothing. */
const JUDGED: readonly [string, string | null][] = [
  [
    'pkg:deb/debian/libssl3@3.0.11-1~deb12u1?arch=amd64&distro=debian-12&upstream=openssl',
    'BT-D1 3.0.11-1~deb12u2',
  ],
  ['pkg:deb/debian/libssl3@3.0.11-1~deb12u2?arch=amd64&distro=debian-12&upstream=openssl', null],
  [
    'pkg:deb/debian/libdevmapper1.02.1@2%3A1.02.185-2?distro=bookworm&upstream=lvm2%402.03.16-2',
    'BT-D2 2.03.16-3',
  ],
  ['pkg:deb/debian/openssl@3.0.11-1~deb12u1?arch=amd64&distro=debian-13', null],
  [
    'pkg:apk/alpine/libcrypto3@3.1.0-r3?arch=x86_64&distro=alpine-3.18.4&upstream=openssl',
    'BT-A1 3.1.0-r4',
  ],
  ['pkg:alpine/openssl@3.1.0-r1?arch=x86_64&distro=alpine-3.18.0', 'BT-A1 3.1.0-r4'],
  [
    'pkg:rpm/almalinux/openssl-libs@3.0.7-6.el9?arch=x86_64&distro=almalinux-9.2&epoch=1&upstream=openssl-3.0.7-6.el9.src.rpm',
    'BT-R1 1:3.0.7-6.el9_2',
  ],
  [
    'pkg:rpm/almalinux/libcurl@7.76.1-23.el9?arch=x86_64&distro=almalinux-9.2&upstream=curl-7.76.1-23.el9.src.rpm',
    'BT-R2 7.76.1-23.el9_2.1',
  ],
];

const UNDETERMINED: readonly [string, string][] = [
  ['pkg:apk/alpine/openssl@3.1.0-r3?distro=3.17.2', 'feed_not_loaded'],
  ['pkg:rpm/almalinux/curl@7.76.1-23.el8?distro=almalinux-8.8', 'feed_not_loaded'],
  ['pkg:deb/debian/openssl@3.0.11-1~deb12u1?arch=amd64', 'release_unknown'],
  ['pkg:deb/debian/openssl@3.0.11-1~deb12u1?distro=ubuntu-22.04', 'release_unknown'],
  ['pkg:apk/alpine/openssl@3.1.0-r3?distro=edge', 'release_unknown'],
  ['pkg:rpm/almalinux/openssl-libs@3.0.7-6.el9?epoch=1', 'release_unknown'],
  ['pkg:rpm/fedora/openssl-libs@3.0.7-6.fc38?epoch=1&distro=fedora-38', 'unknown_ecosystem'],
];

/** As Trivy writes it: the purl has no `upstream`, the document names the source beside it. */
const named = {
  purl: 'pkg:deb/debian/libssl3@3.0.11-1~deb12u1?distro=debian-12.4',
  source_package: 'openssl@3.0.11-1~deb12u1',
};

test('a source package that the document names beside the purl is looked up', async () => {
  const digests = [named, { purl: named.purl }].map((component) => scanner.putSet([component]));
  const found: number[] = [];
  for (const digest of digests) {
    await scanner.scan(digest);
    found.push((await scanner.findings(digest)).findings.length);
  }
  expect(found).toEqual([1, 0]);
});

test('packages of Debian, Alpine and an RPM distribution have the findings of their release, and undetermined ones are counted', async () => {
  const digest = scanner.putSet([...JUDGED, ...UNDETERMINED].map(([purl]) => ({ purl })));
  await scanner.scan(digest);

  const { findings, vulnerabilities } = await scanner.findings(digest);
  const found = findings.map(({ purl, details, fixed_versions }) => [
    purl,
    [...(vulnerabilities[details]?.advisory_ids ?? []), ...fixed_versions].join(' '),
  ]);
  expect(found.sort()).toEqual(JUDGED.filter(([, finding]) => finding !== null).toSorted());

  const { body } = await scanner.request(readCoverage, { digest });
  expect(body).toEqual({
    revision: 1,
    advisory_data: 'feed',
    coverage: {
      components: JUDGED.length + UNDETERMINED.length,
      evaluated: JUDGED.length,
      undetermined: { feed_not_loaded: 2, release_unknown: 4, unknown_ecosystem: 1 },
      undecided_advisories: 3,
    },
  });
});
