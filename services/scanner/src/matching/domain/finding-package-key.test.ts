import { expect, test } from '@jest/globals';
import { findingPackageKeyOf } from '@bomtrail/osv';
import { cleanAssessment } from './assess-version';
import { addComponent, emptyResolvedSet, resolveComponent, summariseSet } from './component-set';

test.each([
  ['pkg:npm/%40scope/name@1.0.0', '@scope/name'],
  ['pkg:golang/golang.org/x/net/http2@v0.5.0', 'golang.org/x/net/http2'],
  ['pkg:golang/github.com/hashicorp/vault/api@v1.0.0', 'github.com/hashicorp/vault/api'],
  ['pkg:golang/std@1.20', 'std'],
  ['pkg:github/owner/repo/folder@v1', 'owner/repo/folder'],
  ['pkg:pypi/Requests%5Bsecurity%5D@2.0', 'Requests[security]'],
  ['pkg:maven/org.example/lib@1', 'org.example:lib'],
  ['pkg:conan/user/zlib@1.2', 'zlib'],
  ['pkg:vscode-extension/publisher/name@1.0.0', 'publisher/name'],
  ['pkg:deb/debian/libssl3@3.0?distro=debian-12&upstream=openssl', 'libssl3'],
  ['pkg:rpm/suse/zlib@1.2?distro=opensuse-leap-15.5', 'zlib'],
  ['pkg:apk/alpine/busybox@1.36.0-r0?distro=alpine-3.18', 'busybox'],
])('VEX documents name the package of findings as findings do: %s', (purl, name) => {
  const component = { name, version: '', purl, is_direct: false };
  const set = emptyResolvedSet();
  addComponent(set, component, resolveComponent(component));
  const match = {
    id: 'A',
    group: 'A',
    affected: [0],
    fixed: [],
    reason: { rule: 'range' as const, entry: 0, range: 0 },
  };
  const assessed = [...set.versions.keys()].map(
    (id) => [id, { ...cleanAssessment, matches: [match] }] as const,
  );
  const { matched } = summariseSet(set, new Map(assessed));
  expect(matched.map(({ package_key }) => package_key)).toEqual([findingPackageKeyOf(component)]);
});
