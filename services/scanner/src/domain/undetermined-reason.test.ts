import { expect, test } from '@jest/globals';
import { cleanAssessment } from './assess-version';
import { emptyPlacedSet, placeComponent, placeOf, summariseSet } from './component-set';
import { coverageOf, type Standings } from './coverage';
import { undeterminedReason } from './undetermined-reason';

const purls = [
  null,
  'pkg:generic/a@1',
  'pkg:npm/a',
  'pkg:npm/a@1.0.0',
  'pkg:pypi/a@1.0.0',
  'pkg:deb/debian/bash@5.2-1?distro=debian-12',
  'pkg:deb/debian/bash@5.2-1?distro=debian-6',
];
const source = 'pkg:deb/debian/libssl3@3.0.9-1?distro=debian-12&upstream=openssl';
const standings: Standings = (release) =>
  release === 'Debian:6' ? 'feed_not_loaded' : release === 'PyPI' ? 'feed_stale' : 'feed';

test.each([
  ['names no source', purls],
  ['names a source', [...purls, source]],
])('the reasons of a document that %s are those that its counts say', (_what, document) => {
  const set = emptyPlacedSet();
  const listed: Record<string, number> = {};
  const components = document.map((purl) => ({ purl, name: 'x', version: '', is_direct: false }));
  for (const component of components) placeComponent(set, component, placeOf(component));
  for (const component of components) {
    const { namesSources } = set;
    const by = { standings, namesSources, assessmentOf: () => cleanAssessment };
    const reason = undeterminedReason(placeOf(component), by);
    if (reason !== null) listed[reason] = (listed[reason] ?? 0) + 1;
  }
  const { counts } = summariseSet(set, new Map());
  expect(listed).toEqual(coverageOf(counts, standings).undetermined);
  expect(listed.source_unknown ?? 0).toBe(document.includes(source) ? 0 : 2);
});
