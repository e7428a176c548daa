import { locate } from './locate';
import { versionKey } from './package-key';

function located(purl: string): string {
  const result = locate({ purl, version: '' });
  if (result.kind === 'undetermined') return result.reason;
  return result.packages
    .map(
      ({ ecosystem, suffix, name, version }) => `${ecosystem}:${suffix ?? ''} ${name} ${version}`,
    )
    .join(' | ');
}

/** The release alone. */
function release(purl: string): string {
  const result = locate({ purl, version: '' });
  if (result.kind === 'undetermined') return result.reason;
  return `${result.packages[0]?.ecosystem}:${result.packages[0]?.suffix ?? ''}`;
}

describe('M29: a package of a distribution is known by its source', () => {
  test.each([
    [
      'pkg:deb/debian/libssl3@3.0.9-1?upstream=openssl&distro=debian-12',
      'Debian:12 openssl 3.0.9-1',
    ],
    [
      'pkg:deb/debian/libgcc-s1@12.2.0-14?upstream=gcc-12%4012.2.0-13&distro=debian-12',
      'Debian:12 gcc-12 12.2.0-13',
    ],
    ['pkg:deb/debian/Curl@7.88.1-10?distro=debian-12', 'Debian:12 curl 7.88.1-10'],
    ['pkg:deb/debian/login@4.13-1?epoch=1&distro=debian-12', 'Debian:12 login 1:4.13-1'],
    ['pkg:deb/debian/login@1:4.13-1?epoch=1&distro=debian-12', 'Debian:12 login 1:4.13-1'],
    ['pkg:deb/debian/login@4.13-1?epoch=0&distro=debian-12', 'Debian:12 login 4.13-1'],
    [
      'pkg:deb/debian/libcap-ng0@0.7.9-2.2%2Bb1?upstream=libcap-ng&distro=debian-11',
      'Debian:11 libcap-ng 0.7.9-2.2',
    ],
    ['pkg:deb/ubuntu/x@1.0%2Bb1?distro=ubuntu-22.04', 'Ubuntu:22.04 x 1.0+b1'],
    [
      'pkg:deb/debian/linux-image-6.1.0-13-amd64@6.1.55-1?upstream=linux-signed-amd64%406.1.55%2B1&distro=debian-12',
      'Debian:12 linux 6.1.55-1',
    ],
    [
      'pkg:deb/debian/linux-image-5.10-arm64@5.10.205-2?upstream=linux-signed-5.10-arm64&distro=debian-10',
      'Debian:10 linux-5.10 5.10.205-2',
    ],
    [
      'pkg:deb/ubuntu/linux-image-6.2.0-39-generic@6.2.0-39.40?upstream=linux-signed-hwe-6.2&distro=ubuntu-22.04',
      'Ubuntu:22.04 linux-hwe-6.2 6.2.0-39.40',
    ],
    [
      'pkg:deb/ubuntu/linux-image-5.15.0-91-generic@5.15.0-91.101?upstream=linux-signed&distro=ubuntu-22.04',
      'Ubuntu:22.04 linux 5.15.0-91.101',
    ],
    [
      'pkg:apk/alpine/libssl3@3.1.0-r3?upstream=openssl&distro=3.18.4',
      'Alpine:v3.18 openssl 3.1.0-r3',
    ],
    [
      'pkg:alpine/musl-utils@1.2.3-r0?upstream=musl&distro=alpine-3.16.0',
      'Alpine:v3.16 musl 1.2.3-r0',
    ],
  ])('alone where advisories name nothing else: %s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });

  test.each([
    [
      'pkg:rpm/rhel/openssl-libs@3.0.7-1.el9?epoch=1&upstream=openssl-3.0.7-1.el9.src.rpm&distro=rhel-9.2',
      'Red Hat:9.2 openssl-libs 1:3.0.7-1.el9 | Red Hat:9.2 openssl 1:3.0.7-1.el9',
    ],
    [
      'pkg:rpm/rhel/bash@5.1.8-6.el9?upstream=bash-5.1.8-6.el9.src.rpm&distro=rhel-9.2',
      'Red Hat:9.2 bash 5.1.8-6.el9',
    ],
    ['pkg:rpm/rocky/bash@5.1.8-6.el9?distro=rocky-9.2', 'Rocky Linux:9 bash 5.1.8-6.el9'],
    [
      'pkg:rpm/rocky/bash@5.1.8-6.el9?upstream=bash-5.1.8-6.el9.nosrc.rpm&distro=rocky-9.2',
      'Rocky Linux:9 bash 5.1.8-6.el9',
    ],
    [
      'pkg:rpm/almalinux/libxml2-devel@2.9.7-1.el8?upstream=libxml2&distro=almalinux-8',
      'AlmaLinux:8 libxml2-devel 2.9.7-1.el8 | AlmaLinux:8 libxml2 2.9.7-1.el8',
    ],
    [
      'pkg:apk/wolfi/libssl3@3.3.0-r1?upstream=openssl&distro=wolfi-20230201',
      'Wolfi: libssl3 3.3.0-r1 | Wolfi: openssl 3.3.0-r1',
    ],
    ['pkg:apk/chainguard/bash@5.2-r1', 'Chainguard: bash 5.2-r1'],
  ])('and by its own name where they do: %s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });

  test('M32: an epoch that the source states is the source’s', () => {
    const purl =
      'pkg:rpm/rocky/perl-Carp@1.42-396.el8?upstream=perl%404:5.26.3-420.el8&distro=rocky-8';
    expect(located(purl)).toBe(
      'Rocky Linux:8 perl-Carp 1.42-396.el8 | Rocky Linux:8 perl 4:5.26.3-420.el8',
    );
  });

  test('M32: the epoch of a source RPM is the binary’s, or unknown where the two differ without one', () => {
    expect(
      located(
        'pkg:rpm/rocky/device-mapper@1.02.181-8.el8?epoch=8&upstream=lvm2-2.03.14-8.el8.src.rpm&distro=rocky-8',
      ),
    ).toBe('Rocky Linux:8 device-mapper 8:1.02.181-8.el8 | Rocky Linux:8 lvm2 8:2.03.14-8.el8');
    expect(
      located(
        'pkg:rpm/rocky/perl-Carp@1.42-396.el8?upstream=perl-5.26.3-420.el8.src.rpm&distro=rocky-8',
      ),
    ).toBe('Rocky Linux:8 perl-Carp 1.42-396.el8 | Rocky Linux:8 perl ?:5.26.3-420.el8');
  });
});

describe('M22: the release of a component', () => {
  test.each([
    ['debian', 'distro=debian-12', 'Debian:12'],
    ['debian', 'distro=debian-12.4', 'Debian:12'],
    ['debian', 'distro=Debian-12', 'Debian:12'],
    ['debian', 'distro=debian12', 'Debian:12'],
    ['ubuntu', 'distro=ubuntu22.04', 'Ubuntu:22.04'],
    ['debian', 'distro=12', 'Debian:12'],
    ['debian', 'distro=bookworm', 'Debian:12'],
    ['debian', 'distro=debian-bookworm', 'Debian:12'],
    ['debian', 'distro=debian%20gnu/linux-12%20(bookworm)', 'Debian:12'],
    ['debian', 'distro_name=debian&distro_version=11', 'Debian:11'],
    ['debian', 'os_name=debian&os_version=11.6', 'Debian:11'],
    ['debian', 'distro_version=11', 'Debian:11'],
    ['debian', 'distro=forky', 'Debian:14'],
    ['debian', 'distro=sid', 'Debian:sid'],
    ['debian', 'distro=debian-unstable', 'Debian:sid'],
    ['debian', 'distro=trixie/sid', 'Debian:sid'],
    ['debian', 'distro=debian-testing', 'Debian:testing'],
    ['debian', 'distro=debian', 'Debian:'],
    ['debian', 'distro=raspbian-12', 'Debian:'],
    ['debian', 'distro=raspbian-bookworm', 'Debian:'],
    ['debian', 'arch=amd64', 'Debian:'],
    ['ubuntu', 'distro=ubuntu-22.04', 'Ubuntu:22.04'],
    ['ubuntu', 'distro=ubuntu-22.04.3', 'Ubuntu:22.04'],
    ['ubuntu', 'distro=jammy', 'Ubuntu:22.04'],
    ['ubuntu', 'distro=ubuntu-noble', 'Ubuntu:24.04'],
    ['ubuntu', 'distro=esm-infra-legacy/trusty', 'Ubuntu:14.04'],
    ['ubuntu', 'distro=ubuntu-devel', 'Ubuntu:'],
    ['echo', 'distro=echo-1', 'Echo:'],
  ])('pkg:deb/%s/a@1?%s: %s', (namespace, qualifiers, expected) => {
    expect(release(`pkg:deb/${namespace}/a@1?${qualifiers}`)).toBe(expected);
  });

  test.each([
    ['alpine', 'distro=alpine-3.18.4', 'Alpine:v3.18'],
    ['alpine', 'distro=3.18.4', 'Alpine:v3.18'],
    ['alpine', 'distro=v3.18', 'Alpine:v3.18'],
    ['alpine', 'distro=alpine-v3.18', 'Alpine:v3.18'],
    ['alpine', 'distro=alpine-edge', 'Alpine:edge'],
    ['alpine', 'distro=alpine-3.19_alpha20230901', 'Alpine:edge'],
    ['alpine', 'distro=wolfi-1', 'Alpine:'],
    ['wolfi', 'distro=wolfi-20230201', 'Wolfi:'],
    ['minimos', 'distro=minimos-1', 'MinimOS:'],
    ['cleanstart', 'arch=x86_64', 'CleanStart:'],
    ['alpaquita', 'distro=alpaquita-23', 'Alpaquita:23'],
    ['alpaquita', 'distro=stream', 'Alpaquita:stream'],
    ['bellsoft-hardened-containers', 'distro=25', 'BellSoft Hardened Containers:25'],
  ])('pkg:apk/%s/a@1?%s: %s', (namespace, qualifiers, expected) => {
    expect(release(`pkg:apk/${namespace}/a@1?${qualifiers}`)).toBe(expected);
  });

  test.each([
    ['redhat', 'distro=rhel-9.2', 'Red Hat:9.2'],
    ['rhel', 'distro=rhel-7', 'Red Hat:7'],
    ['redhat', 'distro=redhat-9.2', 'Red Hat:9.2'],
    ['redhat', 'distro=Red%20Hat%20Enterprise%20Linux%209.2%20(Plow)', 'Red Hat:9.2'],
    ['redhat', 'distro=centos-7', 'Red Hat:'],
    ['rocky', 'distro=rocky-9.2', 'Rocky Linux:9'],
    ['rocky-linux', 'distro=rocky%20linux-9', 'Rocky Linux:9'],
    ['almalinux', 'distro=almalinux-8', 'AlmaLinux:8'],
    ['alma', 'distro=alma-9.3', 'AlmaLinux:9'],
    ['almalinux', 'distro=almalinux-kitten-10', 'AlmaLinux:'],
    ['sles', 'distro=sles-15.5', 'SUSE:15.5'],
    ['sles', 'distro=sles-12', 'SUSE:12.0'],
    ['suse', 'distro=sles_sap-15.4', 'SUSE:15.4'],
    ['suse', 'distro=suse%20linux%20enterprise%20server-15.4', 'SUSE:15.4'],
    ['suse', 'distro=SUSE%20Linux%20Enterprise%20Server%2015%20SP5', 'SUSE:15.5'],
    ['suse', 'distro=sle-micro-5.3', 'SUSE:Micro 5.3'],
    ['suse', 'distro=opensuse-leap-15.5', 'openSUSE:Leap 15.5'],
    ['opensuse', 'distro=opensuse-leap-15.5', 'openSUSE:Leap 15.5'],
    ['opensuse', 'distro=opensuse-15.5', 'openSUSE:Leap 15.5'],
    ['opensuse.leap', 'distro=opensuse.leap-15.5', 'openSUSE:Leap 15.5'],
    ['opensuse', 'distro=opensuse-leap-micro-5.5', 'openSUSE:Leap Micro 5.5'],
    ['opensuse', 'distro=opensuse-tumbleweed-20231001', 'openSUSE:Tumbleweed'],
    ['openeuler', 'distro=openEuler-24.03', 'openEuler:24.03'],
    ['openeuler', 'distro=openEuler-22.03-LTS-SP4', 'openEuler:22.03-LTS-SP4'],
    ['openeuler', 'distro=openEuler-22.03%20(LTS-SP4)', 'openEuler:22.03-LTS-SP4'],
    ['openeuler', 'distro=openEuler-20.03-LTS', 'openEuler:20.03-LTS'],
    ['azurelinux', 'distro=azurelinux-3.0', 'Azure Linux:3'],
    ['mariner', 'distro=mariner-2.0', 'Azure Linux:2'],
    ['cbl-mariner', 'distro=cbl-mariner-2.0', 'Azure Linux:2'],
    ['mageia', 'distro=mageia-9', 'Mageia:9'],
    ['mageia', 'distro=mageia-cauldron', 'Mageia:cauldron'],
    ['photon', 'distro=photon-4.0', 'Photon OS:4.0'],
  ])('pkg:rpm/%s/a@1-1?%s: %s', (namespace, qualifiers, expected) => {
    expect(release(`pkg:rpm/${namespace}/a@1-1?${qualifiers}`)).toBe(expected);
  });

  test.each([
    ['1.1.1wa-7.oe2203sp4', 'openEuler:22.03-LTS-SP4'],
    ['1.1.1wa-7.oe2203', 'openEuler:22.03-LTS'],
    ['1.1.1f-7.oe1', 'openEuler:22.03'],
    ['1.1.1f-7.oe2403sp1', 'openEuler:22.03'],
  ])('of openEuler’s 22.03 is in the tag of the build: %s is %s', (version, expected) => {
    expect(release(`pkg:rpm/openeuler/a@${version}?distro=openEuler-22.03`)).toBe(expected);
  });

  test('is part of what package versions are told apart by', () => {
    const keys = ['debian-11', 'debian-12', 'debian-12.1', 'none'].map((distro) => {
      const result = locate({ purl: `pkg:deb/debian/a@1?distro=${distro}`, version: '' });
      return result.kind === 'packages' && result.packages.map(versionKey).join();
    });
    expect(new Set(keys).size).toBe(3);
    expect(keys[1]).toBe(keys[2]);
  });
});

describe('M21: a distribution that OSV has no advisories for', () => {
  test.each([
    'pkg:deb/raspbian/a@1?distro=raspbian-12',
    'pkg:deb/linuxmint/a@1?distro=linuxmint-21',
    'pkg:rpm/centos/a@1-1?distro=centos-7',
    'pkg:rpm/fedora/a@1-1?distro=fedora-39',
    'pkg:rpm/ol/a@1-1?distro=ol-8.7',
    'pkg:rpm/amzn/a@1-1?distro=amzn-2',
    'pkg:apk/postmarketos/a@1-r0?distro=v23.12',
    'pkg:rpm/a@1-1',
  ])('is an unknown ecosystem: %s', (purl) => {
    expect(located(purl)).toBe('unknown_ecosystem');
  });

  test('where the namespace is missing, the word of `distro` counts', () => {
    expect(release('pkg:deb/a@1?distro=debian-12')).toBe('Debian:12');
    expect(release('pkg:rpm/a@1-1?distro=rocky-9')).toBe('Rocky Linux:9');
  });
});
