import { describe, expect, test } from '@jest/globals';
import { isCoveredRelease, releaseOfAdvisory, releaseOfComponent } from './covered-releases';
import { locate } from './locate';
import { suffixFit } from './release-fit';

/** Ecosystems as real advisories name them. */
const advisories = [
  'Debian:12',
  'Ubuntu:22.04:LTS',
  'Ubuntu:Pro:18.04:LTS',
  'Alpine:v3.18',
  'Rocky Linux:9',
  'AlmaLinux:8',
  'Red Hat:enterprise_linux:9::baseos',
  'Red Hat:rhel_eus:8.6::appstream',
  'SUSE:Linux Enterprise Module for Basesystem 15 SP5',
  'SUSE:Linux Enterprise Micro 5.3',
  'openSUSE:Leap 15.5',
  'openEuler:22.03-LTS-SP4',
  'Mageia:9',
  'Azure Linux:3',
  'Photon OS:5.0',
  'Alpaquita:23',
  'BellSoft Hardened Containers:25',
];
const held = advisories.flatMap((name) => releaseOfAdvisory(name) ?? []);

const purls = [
  'pkg:deb/debian/curl@1?distro=debian-12',
  'pkg:deb/debian/curl@1?distro=debian-10',
  'pkg:deb/debian/curl@1?distro=sid',
  'pkg:deb/debian/curl@1',
  'pkg:deb/ubuntu/curl@1?distro=ubuntu-22.04',
  'pkg:deb/ubuntu/curl@1?distro=bionic',
  'pkg:deb/ubuntu/curl@1?distro=ubuntu-21.04',
  'pkg:apk/alpine/curl@1?distro=alpine-3.18.4',
  'pkg:apk/alpine/curl@1?distro=alpine-3.3.1',
  'pkg:apk/alpine/curl@1?distro=edge',
  'pkg:apk/wolfi/curl@1',
  'pkg:rpm/rocky/curl@1?distro=rocky-9.2',
  'pkg:rpm/rocky/curl@1?distro=rocky-8.9',
  'pkg:rpm/almalinux/curl@1?distro=almalinux-8',
  'pkg:rpm/redhat/curl@1?distro=rhel-9.2',
  'pkg:rpm/redhat/curl@1?distro=rhel-8.6',
  'pkg:rpm/redhat/curl@1?distro=rhel-6',
  'pkg:rpm/suse/curl@1?distro=sles-15.5',
  'pkg:rpm/suse/curl@1?distro=sles-12.5',
  'pkg:rpm/opensuse/curl@1?distro=opensuse-leap-15.5',
  'pkg:rpm/opensuse/curl@1?distro=opensuse-leap-15.1',
  'pkg:rpm/openeuler/curl@1?distro=openEuler-22.03-LTS-SP4',
  'pkg:rpm/mageia/curl@1?distro=mageia-9',
  'pkg:rpm/azurelinux/curl@1?distro=azurelinux-3.0',
];

function located(purl: string) {
  const found = locate({ purl, version: '' });
  if (found.kind !== 'packages' || !found.packages[0]) throw new Error(`${purl} is no package`);
  return found.packages[0];
}

describe('a release of a distribution (M33)', () => {
  test.each(purls)('of %s is covered where any advisory held fits it', (purl) => {
    const version = located(purl);
    const fits = advisories
      .filter((name) => name.startsWith(`${version.ecosystem}:`))
      .map((name) => suffixFit(name.slice(version.ecosystem.length + 1), version));
    if (fits.includes('yes')) {
      expect(isCoveredRelease(releaseOfComponent(version), held)).toBe(true);
    }
  });

  test.each([
    'pkg:deb/debian/curl@1?distro=debian-10',
    'pkg:deb/ubuntu/curl@1?distro=ubuntu-21.04',
    'pkg:apk/alpine/curl@1?distro=alpine-3.3.1',
    'pkg:rpm/rocky/curl@1?distro=rocky-8.9',
    'pkg:rpm/redhat/curl@1?distro=rhel-6',
    'pkg:rpm/suse/curl@1?distro=sles-12.5',
    'pkg:rpm/opensuse/curl@1?distro=opensuse-leap-15.1',
  ])('of %s is not covered: no advisory held can speak of it', (purl) => {
    expect(isCoveredRelease(releaseOfComponent(located(purl)), held)).toBe(false);
  });

  test.each([
    'pkg:deb/debian/curl@1?distro=sid',
    'pkg:deb/debian/curl@1',
    'pkg:apk/alpine/curl@1?distro=edge',
    'pkg:apk/wolfi/curl@1',
    'pkg:npm/lodash@1.0.0',
  ])('that %s does not have is judged by its ecosystem alone', (purl) => {
    const version = located(purl);
    expect(releaseOfComponent(version)).toBe(version.ecosystem);
    expect(isCoveredRelease(releaseOfComponent(version), [])).toBe(true);
  });

  test('is covered by an advisory that holds for all releases', () => {
    const release = releaseOfComponent(located('pkg:deb/debian/curl@1?distro=debian-10'));
    expect(isCoveredRelease(release, [releaseOfAdvisory('Debian') ?? ''])).toBe(true);
  });
});
