import { describe, expect, test } from '@jest/globals';
import type { MatchReason } from '@bomtrail/osv';
import fc from 'fast-check';
import { versionIdsOf } from './component';
import { emptyResolvedSet, addComponent, resolveComponent, summariseSet } from './component-set';
import type { Assessment } from './assess-version';
import { coverageOf } from '../../queries/domain/coverage';
import type { FeedDataStatus } from '../../feeds/domain/feed-data-status';

const reason: MatchReason = { rule: 'range', entry: 0, range: 0 };
const match = { id: 'A', group: 'A', affected: [0], fixed: [], reason };

function resolved(...purls: (string | null)[]) {
  const set = emptyResolvedSet();
  for (const purl of purls) {
    const component = { name: purl ?? 'x', version: '', purl, is_direct: false };
    addComponent(set, component, resolveComponent(component));
  }
  return set;
}

function assessAll(set: ReturnType<typeof resolved>, assessment: Assessment) {
  return summariseSet(set, new Map([...set.versions.keys()].map((id) => [id, assessment])));
}

describe('the summary of a component set', () => {
  test('shares one package version among components that differ in their qualifiers only', () => {
    const set = resolved('pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.0?x=y', 'pkg:npm/a@v1.0.0');
    expect(set.versions.size).toBe(1);
    expect(set.resolved).toHaveLength(3);
  });

  test('has a hit for each component with a match, as the document names it', () => {
    const set = resolved('pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.0?x=y');
    const { matched } = assessAll(set, { matches: [match], undetermined: null });
    expect(matched.map(({ purl }) => purl)).toEqual(['pkg:npm/a@1.0.0', 'pkg:npm/a@1.0.0?x=y']);
  });

  test('shows a match also where another advisory could not be decided, and counts that one', () => {
    const assessment: Assessment = { matches: [match], undetermined: 'unreadable_version' };
    const { matched, counts } = assessAll(resolved('pkg:npm/a@1.0.0'), assessment);
    expect(matched).toHaveLength(1);
    expect(counts).toEqual({
      components: 1,
      evaluated: {},
      undetermined: { unreadable_version: 1 },
    });
  });

  const deb = (name: string, upstream = '') =>
    `pkg:deb/debian/${name}@3.0.9-1?distro=debian-12${upstream && `&upstream=${upstream}`}`;

  test('has no source for libssl3 in a document that names no sources', () => {
    const clean: Assessment = { matches: [], undetermined: null };
    const silent = assessAll(resolved(deb('libssl3'), deb('bash'), 'pkg:npm/a@1'), clean);
    expect(silent.counts.undetermined).toEqual({ source_unknown: 2 });
    expect(silent.counts.evaluated).toEqual({ npm: 1 });
    const withSource = assessAll(resolved(deb('libssl3', 'openssl'), deb('bash')), clean);
    expect(withSource.counts.undetermined).toEqual({});
    const binaries = resolved('pkg:rpm/almalinux/openssl-libs@3.0.7-6.el9?distro=almalinux-9.2');
    expect(assessAll(binaries, clean).counts.undetermined).toEqual({});
  });

  const rpm = 'pkg:rpm/rocky/bind-libs@9.16-1?upstream=bind-9.16-1.src.rpm&distro=rocky-9';

  test('holds a package of RPM by its own name and by its source’s', () => {
    const set = resolved(rpm);
    expect([...set.versions.values()].map(({ name }) => name)).toEqual(['bind-libs', 'bind']);
    expect(set.resolved.map(({ versionIds }) => versionIds)).toEqual([[...set.versions.keys()]]);
  });

  test('has one hit for it when either of the two matches, and counts it once', () => {
    const set = resolved(rpm);
    const [own = '', source = ''] = set.versions.keys();
    for (const id of [own, source]) {
      const { matched, counts } = summariseSet(
        set,
        new Map<string, Assessment>([[id, { matches: [match], undetermined: null }]]),
      );
      expect(matched.map(versionIdsOf)).toEqual([[own, source]]);
      expect(counts).toEqual({
        components: 1,
        evaluated: { 'Rocky Linux:9': 1 },
        undetermined: {},
      });
    }
    expect(summariseSet(set, new Map()).matched).toEqual([]);
  });

  test('counts it as undetermined when either of the two is', () => {
    const set = resolved(rpm);
    const [, source = ''] = set.versions.keys();
    const assessment: Assessment = { matches: [], undetermined: 'unreadable_version' };
    const { counts } = summariseSet(set, new Map([[source, assessment]]));
    expect(counts).toEqual({
      components: 1,
      evaluated: {},
      undetermined: { unreadable_version: 1 },
    });
  });

  test('counts what is no package version by its reason', () => {
    const { counts } = assessAll(resolved(null, 'pkg:deb/raspbian/bash@5', 'pkg:npm/a'), {
      matches: [],
      undetermined: null,
    });
    expect(counts.undetermined).toEqual({ no_purl: 1, unknown_ecosystem: 1, no_version: 1 });
  });

  test('counts every component exactly once, whatever the feeds hold', () => {
    const purl = fc.constantFrom('pkg:npm/a@1', 'pkg:pypi/b@2', 'pkg:x/c@3', 'pkg:npm/d', null);
    const assessment = fc.constantFrom<Assessment>(
      { matches: [], undetermined: null },
      { matches: [match], undetermined: 'release_unknown' },
    );
    const loaded = fc.subarray(['npm', 'PyPI']);
    fc.assert(
      fc.property(fc.array(purl), assessment, loaded, (purls, assessed, ecosystems) => {
        const { counts } = assessAll(resolved(...purls), assessed);
        const coverage = coverageOf(counts, (one) =>
          ecosystems.includes(one) ? 'feed' : 'feed_not_loaded',
        );
        const undetermined = Object.values(coverage.undetermined).reduce((a, b) => a + b, 0);
        expect(coverage.components).toBe(purls.length);
        expect(coverage.evaluated + undetermined).toBe(purls.length);
      }),
    );
  });
});

test('components of an ecosystem without a current feed do not count as evaluated', () => {
  const dataStatus: Record<string, FeedDataStatus> = {
    npm: 'feed',
    PyPI: 'feed_not_loaded',
    Go: 'starter_data',
    Maven: 'feed_stale',
  };
  const counts = {
    components: 12,
    evaluated: { npm: 1, PyPI: 2, Go: 3, Maven: 4 },
    undetermined: { no_purl: 2 },
  };
  expect(coverageOf(counts, (one) => dataStatus[one] ?? 'feed_not_loaded')).toEqual({
    components: 12,
    evaluated: 1,
    undetermined: { no_purl: 2, feed_not_loaded: 2, starter_data: 3, feed_stale: 4 },
  });
});
