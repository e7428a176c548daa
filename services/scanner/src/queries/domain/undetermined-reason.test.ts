import { expect, test } from '@jest/globals';
import { assessVersion, type Assessment } from '../../matching/domain/assess-version';
import {
  emptyResolvedSet,
  addComponent,
  resolveComponent,
  summariseSet,
} from '../../matching/domain/component-set';
import { coverageOf, type DataStatusLookup } from './coverage';
import { undeterminedReason } from './undetermined-reason';

const purls = [
  null,
  'pkg:generic/a@1',
  'pkg:npm/a',
  'pkg:npm/a@1.0.0',
  'pkg:pypi/a@1.0.0',
  'pkg:github/openssl/openssl@3.0.0',
  'pkg:deb/debian/bash@5.2-1?distro=debian-12',
  'pkg:deb/debian/bash@5.2-1?distro=debian-6',
];
const source = 'pkg:deb/debian/libssl3@3.0.9-1?distro=debian-12&upstream=openssl';
const dataStatusWithout =
  (missing: string): DataStatusLookup =>
  (release) =>
    release === missing ? 'feed_not_loaded' : release === 'PyPI' ? 'feed_stale' : 'feed';

test.each([
  ['names no source', purls, 'Debian:6'],
  ['names a source', [...purls, source], 'Debian:6'],
  ['names a repository', purls, 'GitHub Actions'],
])(
  'the reasons of a document that %s are those that its counts say',
  (_what, document, missing) => {
    const dataStatus = dataStatusWithout(missing);
    const set = emptyResolvedSet();
    const listed: Record<string, number> = {};
    const assessmentOf = (id: string): Assessment => {
      const version = set.versions.get(id);
      if (!version) throw new Error(`${id} is no version of the set.`);
      return assessVersion(version, []);
    };
    const components = document.map((purl) => ({ purl, name: 'x', version: '', is_direct: false }));
    for (const component of components) addComponent(set, component, resolveComponent(component));
    for (const component of components) {
      const { namesSources } = set;
      const by = { dataStatus, namesSources, assessmentOf };
      const reason = undeterminedReason(resolveComponent(component), by);
      if (reason !== null) listed[reason] = (listed[reason] ?? 0) + 1;
    }
    const assessments = new Map([...set.versions.keys()].map((id) => [id, assessmentOf(id)]));
    const { counts } = summariseSet(set, assessments);
    expect(listed).toEqual(coverageOf(counts, dataStatus).undetermined);
    expect(listed.source_unknown ?? 0).toBe(document.includes(source) ? 0 : 2);
    expect(listed.unknown_action ?? 0).toBe(missing === 'GitHub Actions' ? 0 : 1);
  },
);
