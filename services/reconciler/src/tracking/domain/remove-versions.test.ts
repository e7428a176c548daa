import fc from 'fast-check';
import { removeVersions, refreshSnapshots } from './remove-versions';
import { recompute, type ServiceState } from './reconcile';
import { decisionOn, sbomVersion, factsOf } from './testing';
import type { SbomVersion, TrackedVulnerability } from './types';

const scans = {
  none: [],
  one: ['lodash@1.0.0 GHSA-1 CVE-1'],
  bumped: ['lodash@1.1.0 GHSA-1 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  several: ['lodash@1.10.0 GHSA-1 CVE-1', 'lodash@1.9.0 GHSA-1 CVE-1', 'vue@3.0.0 GHSA-9'],
};
type Scans = Record<string, string[]>;

function without(
  vulnerabilities: readonly TrackedVulnerability[],
  sbomVersions: readonly SbomVersion[],
  change: { removed: readonly string[]; scans?: Scans; accepted?: boolean },
): { state: ServiceState | null; requested: number } {
  const cut = removeVersions(vulnerabilities, sbomVersions, new Set(change.removed));
  const acceptances = change.accepted ? [decisionOn(['CVE-1'])] : [];
  const facts = factsOf(change.scans ?? scans, { vulnerabilities, acceptances });
  return { state: refreshSnapshots(facts, cut), requested: cut.staleSnapshots.size };
}

function byId({ vulnerabilities }: ServiceState): TrackedVulnerability[] {
  return [...vulnerabilities].sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe('a service without some of its SBOM versions', () => {
  const sbomVersions = [
    sbomVersion(1, 'two'),
    sbomVersion(2, 'none'),
    sbomVersion(3, 'bumped'),
    sbomVersion(4, 'one'),
  ];
  const { vulnerabilities } = recompute(factsOf(scans), sbomVersions);

  test('R15: a vulnerability that only the removed version had united needs a recomputation', () => {
    const apart = { old: ['lodash@1.0.0 A B'], new: ['lodash@1.0.0 A', 'lodash@1.0.0 B'] };
    const both = [sbomVersion(1, 'old'), sbomVersion(2, 'new')];
    const united = recompute(factsOf(apart), both);
    expect(united.vulnerabilities).toHaveLength(1);
    const change = { removed: ['sbom-1'], scans: apart };
    expect(without(united.vulnerabilities, both, change).state).toBeNull();
  });

  test('R14: two presence intervals are joined if no version is left between them', () => {
    const { state } = without(vulnerabilities, sbomVersions, { removed: ['sbom-2'] });
    expect(state?.vulnerabilities[0]?.presence).toEqual([{ from: 1, to: null }]);
  });

  test('R14: a vulnerability is first seen in the first remaining version', () => {
    const { state, requested } = without(vulnerabilities, sbomVersions, {
      removed: ['sbom-1', 'sbom-2'],
    });
    expect(state?.vulnerabilities[0]).toMatchObject({
      first_seen_at: sbomVersion(3, 'bumped').created_at,
    });
    expect(state?.vulnerabilities[1]).toMatchObject({
      status: 'vanished',
      presence: [],
      snapshot: null,
    });
    expect(requested).toBe(0);
  });

  test('R15: a vulnerability takes its snapshot from the last remaining version that contains it', () => {
    const { state, requested } = without(vulnerabilities, sbomVersions, { removed: ['sbom-4'] });
    expect(state?.vulnerabilities[0]?.snapshot?.package_version).toBe('1.1.0');
    expect(state?.head?.seq).toBe(3);
    expect(requested).toBe(1);
  });

  test('R15: scans that the vulnerabilities are not based on are not used', () => {
    const cases: Scans[] = [
      { ...scans, bumped: [] },
      { ...scans, bumped: ['lodash@1.1.0 GHSA-1 CVE-1 CVE-7'] },
      { ...scans, bumped: ['lodash@1.1.0 GHSA-1 CVE-1', 'new@1.0.0 GHSA-8'] },
    ];
    for (const newer of cases) {
      expect(
        without(vulnerabilities, sbomVersions, { removed: ['sbom-4'], scans: newer }).state,
      ).toBeNull();
    }
  });

  test('equals a recomputation from the remaining versions, whatever is removed', () => {
    const names = fc.array(fc.constantFrom(...Object.keys(scans)), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(names, fc.func(fc.boolean()), fc.boolean(), (digests, goes, accepted) => {
        const whole = digests.map((digest, index) => sbomVersion(2 * index + 1, digest));
        const acceptances = accepted ? [decisionOn(['CVE-1'])] : [];
        const before = recompute(factsOf(scans, { acceptances }), whole).vulnerabilities;
        const removed = whole.filter(({ seq }) => goes(seq)).map(({ sbom_id }) => sbom_id);
        const left = whole.filter(({ sbom_id }) => !removed.includes(sbom_id));
        const facts = factsOf(scans, { vulnerabilities: before, acceptances });
        const expected = recompute(facts, left);
        const { state } = without(before, whole, { removed, accepted });
        expect(state && byId(state)).toEqual(byId(expected));
        expect(state?.head).toEqual(expected.head);
      }),
      { numRuns: 1000 },
    );
  });
});
