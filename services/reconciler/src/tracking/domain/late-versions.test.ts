import fc from 'fast-check';
import { insertVersion, lateVersion } from './add-version';
import { append, recompute, type ServiceState } from './reconcile';
import { decisionOn, sbomVersion, factsOf } from './testing';
import type { TrackedVulnerability } from './types';

const scans = {
  none: [],
  one: ['lodash@1.0.0 GHSA-1 CVE-1'],
  bumped: ['lodash@1.1.0 GHSA-1 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  several: ['lodash@1.10.0 GHSA-1 CVE-1', 'lodash@1.9.0 GHSA-1 CVE-1', 'vue@3.0.0 GHSA-9'],
};
type Scans = Record<string, string[]>;

/** The log with the version of this number coming last, though others are behind it. */
function late(digests: readonly string[], seq: number, given: Scans = scans): ServiceState | null {
  const sbomVersions = digests.map((digest, index) => sbomVersion(index + 1, digest));
  const own = sbomVersions.find((one) => one.seq === seq);
  const before = recompute(
    factsOf(given),
    sbomVersions.filter((one) => one !== own),
  );
  const seqs = sbomVersions.map((one) => one.seq).filter((one) => one !== seq);
  if (!own || !before.head) throw new Error('There is no such entry, or none behind it.');
  const position = lateVersion(own, seqs);
  return (
    position &&
    insertVersion(
      factsOf(given, { vulnerabilities: before.vulnerabilities }),
      before.head,
      position,
    )
  );
}

function lodash(state: ServiceState | null): TrackedVulnerability | undefined {
  return state?.vulnerabilities.find(({ package_key }) => package_key === 'npm|lodash');
}

describe('R17: a version that comes late', () => {
  test('splits a presence interval if it lacks what both neighbours contain', () => {
    expect(lodash(late(['one', 'none', 'one'], 2))?.presence).toEqual([
      { from: 1, to: 1 },
      { from: 3, to: null },
    ]);
  });

  test('lengthens the presence interval of the neighbour that contains the same', () => {
    expect(lodash(late(['one', 'bumped', 'none'], 2))).toMatchObject({
      presence: [{ from: 1, to: 2 }],
      last_seen: { sbom_id: 'sbom-2' },
      status: 'fixed',
      snapshot: { package_version: '1.1.0' },
    });
    expect(lodash(late(['one', 'bumped'], 1))).toMatchObject({
      presence: [{ from: 1, to: null }],
      first_seen_at: sbomVersion(1, '').created_at,
      snapshot: { package_version: '1.1.0' },
    });
  });

  test('that changes the aliases of a vulnerability needs a recomputation', () => {
    const apart = { old: ['lodash@1.0.0 A B'], new: ['lodash@1.0.0 A', 'lodash@1.0.0 B'] };
    expect(late(['old', 'new'], 1, apart)).toBeNull();
  });

  test('leaves the vulnerabilities that a recomputation gives, in whatever order versions come', () => {
    const names = fc.array(fc.constantFrom(...Object.keys(scans)), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(names, fc.func(fc.nat(99)), fc.boolean(), (digests, comes, accepted) => {
        const acceptances = accepted ? [decisionOn(['CVE-1'])] : [];
        const sbomVersions = digests.map((digest, index) => sbomVersion(2 * index + 1, digest));
        const seqs: number[] = [];
        let state: ServiceState = { head: null, vulnerabilities: [] };
        for (const one of [...sbomVersions].sort((a, b) => comes(a.seq) - comes(b.seq))) {
          const facts = factsOf(scans, { vulnerabilities: state.vulnerabilities, acceptances });
          const { head } = state;
          const late = lateVersion(one, seqs);
          const next = head && late ? insertVersion(facts, head, late) : append(facts, head, one);
          if (!next) throw new Error('Nothing was reshaped.');
          state = next;
          seqs.push(one.seq);
          seqs.sort((a, b) => a - b);
        }
        const whole = recompute(
          factsOf(scans, { vulnerabilities: state.vulnerabilities, acceptances }),
          sbomVersions,
        );
        expect(state).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });
});
