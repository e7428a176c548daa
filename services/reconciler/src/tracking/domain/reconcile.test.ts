import fc from 'fast-check';
import { append, recompute, type ServiceState } from './reconcile';
import { decisionOn, sbomVersion, factsOf, observation } from './testing';
import type { SbomVersion, TrackedVulnerability } from './types';

const scans = {
  none: [],
  one: ['lodash@1.0.0 GHSA-1 CVE-1'],
  bumped: ['lodash@1.1.0 GHSA-1 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  several: ['lodash@1.10.0 GHSA-1 CVE-1', 'lodash@1.9.0 GHSA-1 CVE-1'],
};
type ScanName = keyof typeof scans;

function states(state: ServiceState): Record<string, string> {
  return Object.fromEntries(
    state.vulnerabilities.map((vulnerability) => [
      vulnerability.snapshot?.package_name ?? vulnerability.id,
      vulnerability.status,
    ]),
  );
}

describe('presence over SBOM versions', () => {
  test('version 2 without a vulnerable package fixes the vulnerability, and deleting version 2 opens it again', () => {
    const both = recompute(factsOf(scans), [sbomVersion(1, 'two'), sbomVersion(2, 'one')]);
    expect(states(both)).toEqual({ lodash: 'open', axios: 'fixed' });
    const after = recompute(factsOf(scans, { vulnerabilities: both.vulnerabilities }), [
      sbomVersion(1, 'two'),
    ]);
    expect(states(after)).toEqual({ lodash: 'open', axios: 'open' });
    expect(after.vulnerabilities.map(({ id }) => id)).toEqual(
      both.vulnerabilities.map(({ id }) => id),
    );
  });

  test('what only a deleted SBOM contained vanishes, but its identity stays', () => {
    const before = recompute(factsOf(scans), [sbomVersion(1, 'one'), sbomVersion(2, 'two')]);
    const after = recompute(factsOf(scans, { vulnerabilities: before.vulnerabilities }), [
      sbomVersion(1, 'one'),
    ]);
    expect(after.vulnerabilities.map(({ status }) => status)).toEqual(['open', 'vanished']);
    const again = recompute(factsOf(scans, { vulnerabilities: after.vulnerabilities }), [
      sbomVersion(1, 'one'),
      sbomVersion(3, 'two'),
    ]);
    expect(again.vulnerabilities[1]).toMatchObject({
      id: before.vulnerabilities[1]?.id,
      status: 'open',
    });
  });

  test('a vulnerability keeps when it was first seen, also when it comes back', () => {
    const sbomVersions = [sbomVersion(1, 'one'), sbomVersion(2, 'none'), sbomVersion(3, 'one')];
    const { vulnerabilities } = recompute(factsOf(scans), sbomVersions);
    expect(vulnerabilities[0]).toMatchObject({
      first_seen_at: sbomVersions[0]?.created_at,
      presence: [
        { from: 1, to: 1 },
        { from: 3, to: null },
      ],
      last_seen: null,
    });
  });

  test('a fixed vulnerability says which SBOM contained it last', () => {
    const { vulnerabilities } = recompute(factsOf(scans), [
      sbomVersion(1, 'one'),
      sbomVersion(2, 'one'),
      sbomVersion(3, 'none'),
    ]);
    expect(vulnerabilities[0]?.last_seen).toEqual({
      sbom_id: 'sbom-2',
      at: sbomVersion(2, 'one').created_at,
    });
  });

  test('R6: of several affected versions the lowest is shown, by the order of the ecosystem', () => {
    const { vulnerabilities } = recompute(factsOf(scans), [sbomVersion(1, 'several')]);
    expect(vulnerabilities[0]?.snapshot).toMatchObject({
      package_version: '1.9.0',
      package_versions: ['1.9.0', '1.10.0'],
    });
  });

  test('an upload that changes nothing leaves every vulnerability the same object', () => {
    const first = recompute(factsOf(scans), [sbomVersion(1, 'two')]);
    const next = append(
      factsOf(scans, { vulnerabilities: first.vulnerabilities }),
      first.head,
      sbomVersion(2, 'two'),
    );
    expect(
      next?.vulnerabilities.every(
        (vulnerability, index) => vulnerability === first.vulnerabilities[index],
      ),
    ).toBe(true);
  });
});

describe('acceptances', () => {
  const accepted = (rest = {}) => [decisionOn(['CVE-1'], rest)];

  test('R13: an acceptance applies to its alias set in later versions and package bumps', () => {
    const facts = factsOf(scans, { acceptances: accepted() });
    expect(states(recompute(facts, [sbomVersion(1, 'two'), sbomVersion(2, 'bumped')]))).toEqual({
      lodash: 'accepted',
      axios: 'fixed',
    });
  });

  test('R13: of another service, or expired, it applies to nothing', () => {
    for (const rest of [{ services: ['other'] }, { expires_at: '1970-01-01T00:00:00.000Z' }]) {
      const facts = factsOf(scans, { acceptances: accepted(rest) });
      expect(states(recompute(facts, [sbomVersion(1, 'one')]))).toEqual({ lodash: 'open' });
    }
  });

  test('R11: what is no longer in the newest SBOM is fixed, accepted or not', () => {
    const facts = factsOf(scans, { acceptances: accepted() });
    expect(states(recompute(facts, [sbomVersion(1, 'one'), sbomVersion(2, 'none')]))).toEqual({
      lodash: 'fixed',
    });
  });
});

describe('any history', () => {
  const digests = fc.array(fc.constantFrom(...(Object.keys(scans) as ScanName[])), {
    maxLength: 12,
  });
  const versionsOf = (names: ScanName[]): SbomVersion[] =>
    names.map((name, index) => sbomVersion(index + 1, name));

  /** Vulnerabilities by what they say, whatever ids they happened to get. */
  function reported(vulnerabilities: readonly TrackedVulnerability[]): unknown[] {
    return vulnerabilities
      .filter(({ status }) => status !== 'vanished')
      .map(({ id: _id, ...vulnerability }) => vulnerability)
      .sort((a, b) => (a.package_key < b.package_key ? -1 : 1));
  }

  test('taken step by step or recomputed in any order, the vulnerabilities are the same', () => {
    fc.assert(
      fc.property(digests, fc.func(fc.nat()), (names, shuffle) => {
        const sbomVersions = versionsOf(names);
        let state: ServiceState = { head: null, vulnerabilities: [] };
        for (const step of sbomVersions) {
          const next = append(
            factsOf(scans, { vulnerabilities: state.vulnerabilities }),
            state.head,
            step,
          );
          expect(next).not.toBeNull();
          state = next as ServiceState;
        }
        const shuffled = [...sbomVersions].sort((a, b) => shuffle(a.seq) - shuffle(b.seq));
        const whole = recompute(factsOf(scans), shuffled);
        expect(reported(state.vulnerabilities)).toEqual(reported(whole.vulnerabilities));
        expect(state.head).toEqual(whole.head);
      }),
    );
  });

  test('an upload that is deleted again leaves what was before it', () => {
    fc.assert(
      fc.property(
        digests,
        fc.constantFrom(...(Object.keys(scans) as ScanName[])),
        (names, extra) => {
          const sbomVersions = versionsOf(names);
          const before = recompute(factsOf(scans), sbomVersions);
          const during = append(
            factsOf(scans, { vulnerabilities: before.vulnerabilities }),
            before.head,
            sbomVersion(99, extra),
          );
          const after = recompute(
            factsOf(scans, { vulnerabilities: during?.vulnerabilities ?? [] }),
            sbomVersions,
          );
          expect(reported(after.vulnerabilities)).toEqual(reported(before.vulnerabilities));
        },
      ),
    );
  });

  test('recomputing twice changes nothing', () => {
    fc.assert(
      fc.property(digests, (names) => {
        const once = recompute(factsOf(scans), versionsOf(names));
        const twice = recompute(
          factsOf(scans, { vulnerabilities: once.vulnerabilities }),
          versionsOf(names),
        );
        expect(twice).toEqual(once);
      }),
    );
  });
});

describe('some packages of a service', () => {
  const found = fc.array(
    fc.constantFrom(
      'lodash@1.0.0 GHSA-1 CVE-1',
      'lodash@1.1.0 GHSA-1 GHSA-3',
      'lodash@1.0.0 GHSA-3',
      'axios@0.1.0 GHSA-2',
      'axios@0.2.0 GHSA-2 CVE-1',
      'vue@3.0.0 GHSA-9',
    ),
    { maxLength: 5 },
  );
  const anyScans = fc.record({ a: found, b: found, c: found });
  const packages = fc.subarray(['npm|lodash', 'npm|axios', 'npm|vue']);

  test('recomputed alone are what the recomputation of the whole service gives, and the others are as they were', () => {
    const sbomVersions = ['a', 'b', 'a', 'c'].map((digest, index) =>
      sbomVersion(index + 1, digest),
    );
    fc.assert(
      fc.property(anyScans, anyScans, packages, (before, now, changed) => {
        const has = ({ package_key }: { package_key: string }) => changed.includes(package_key);
        const stored = recompute(factsOf(before), sbomVersions).vulnerabilities;
        // The findings of the other packages are what they were.
        const scans = Object.fromEntries(
          Object.entries(before).map(([digest, texts]) => [
            digest,
            [
              ...texts.filter((text) => !has(observation(text))),
              ...now[digest as keyof typeof now].filter((text) => has(observation(text))),
            ],
          ]),
        );
        const whole = recompute(factsOf(scans, { vulnerabilities: stored }), sbomVersions);
        const all = factsOf(scans, { vulnerabilities: stored });
        const observations = new Map(
          [...all.observations].map(([digest, some]) => [digest, some.filter(has)]),
        );
        const some = recompute(
          { ...all, vulnerabilities: stored.filter(has), observations },
          sbomVersions,
        );
        const reported = (vulnerabilities: readonly TrackedVulnerability[]) =>
          vulnerabilities.map((vulnerability) => JSON.stringify(vulnerability)).sort();
        expect(
          reported([
            ...stored.filter((vulnerability) => !has(vulnerability)),
            ...some.vulnerabilities,
          ]),
        ).toEqual(reported(whole.vulnerabilities));
        expect(some.head).toEqual(whole.head);
      }),
    );
  });
});
