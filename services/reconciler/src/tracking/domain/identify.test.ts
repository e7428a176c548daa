import { identify, uniteGroups } from './identify';
import { append, recompute } from './reconcile';
import { decisionOn, sbomVersion, factsOf } from './testing';
import type { TrackedVulnerability } from './types';

function group(aliases: string[], advisory = aliases.slice(0, 1)) {
  return { package_key: 'npm|a', aliases, advisory_ids: advisory };
}

function vulnerability(
  id: string,
  identity: string[],
  origin = identity[0] ?? '',
): TrackedVulnerability {
  return {
    id,
    package_key: 'npm|a',
    origin,
    identity,
    presence: [],
    first_seen_at: null,
    last_seen: null,
    snapshot: null,
    status: 'open',
    merged_into: null,
  };
}

const newIds = () => {
  let count = 0;
  return () => `new-${++count}`;
};

describe('alias groups', () => {
  test('R1: groups that share an alias in any case are one, also through a third one', () => {
    const groups = uniteGroups([group(['A', 'b']), group(['C', 'D']), group(['B', 'c'])]);
    expect(groups).toEqual([
      { package_key: 'npm|a', aliases: ['A', 'B', 'C', 'D'], advisory_ids: ['A', 'B', 'C'] },
    ]);
  });

  test('R1: the same alias in two packages is two groups', () => {
    const other = { ...group(['A']), package_key: 'npm|b' };
    expect(uniteGroups([group(['A']), other])).toHaveLength(2);
    const lines = ['npm|a\nb', 'npm|a\nc'].map((package_key) => ({ ...other, package_key }));
    expect(uniteGroups(lines).map(({ package_key }) => package_key)).toEqual([
      'npm|a\nb',
      'npm|a\nc',
    ]);
  });
});

describe('identity', () => {
  test('R2: a group keeps the vulnerability that represents one of its aliases', () => {
    const { vulnerabilities, vulnerabilityIdOf } = identify(
      [vulnerability('r1', ['A'])],
      uniteGroups([group(['A', 'B'])]),
      newIds(),
    );
    expect(vulnerabilityIdOf('npm|a', 'B')).toBe('r1');
    expect(vulnerabilities[0]?.identity).toEqual(['A', 'B']);
  });

  test('R3: a split leaves the vulnerability with its origin, the rest gets a new vulnerability', () => {
    const groups = uniteGroups([group(['A']), group(['B'])]);
    const { vulnerabilityIdOf } = identify(
      [vulnerability('r1', ['A', 'B'], 'B')],
      groups,
      newIds(),
    );
    expect(vulnerabilityIdOf('npm|a', 'B')).toBe('r1');
    expect(vulnerabilityIdOf('npm|a', 'A')).toBe('new-1');
  });

  test('R3: without its origin it stays with the smallest alias', () => {
    const groups = uniteGroups([group(['C']), group(['B']), group(['D'])]);
    const { vulnerabilityIdOf } = identify(
      [vulnerability('r1', ['A', 'B', 'C', 'D'], 'A')],
      groups,
      newIds(),
    );
    expect(vulnerabilityIdOf('npm|a', 'B')).toBe('r1');
  });

  test.each([
    ['came apart', ['a@1 A', 'a@1 B']],
    ['lost an alias', ['a@1 A']],
    ['was one with another', ['a@1 A B C']],
  ])('a version in which a tracked vulnerability %s is not a mere addition', (_what, next) => {
    const before = recompute(factsOf({ d: ['a@1 A B', 'a@1 C'] }), [sbomVersion(1, 'd')]);
    const facts = factsOf(
      { d: ['a@1 A B', 'a@1 C'], e: next },
      { vulnerabilities: before.vulnerabilities },
    );
    expect(append(facts, before.head, sbomVersion(2, 'e'))).toBeNull();
  });

  test('R3: what was split off no longer counts for the vulnerability that it was split from', () => {
    const merged = recompute(factsOf({ d: ['a@1 A B'] }), [sbomVersion(1, 'd')]);
    const split = factsOf({ d: ['a@1 A', 'a@1 B'] }, { vulnerabilities: merged.vulnerabilities });
    const apart = recompute(split, [sbomVersion(1, 'd')]);
    expect(apart.vulnerabilities.map(({ id, identity }) => [id, identity])).toEqual([
      ['vulnerability-001', ['A']],
      ['vulnerability-002', ['B']],
    ]);
    const acceptances = [decisionOn(['B'])];
    const intervals = recompute({ ...split, vulnerabilities: apart.vulnerabilities, acceptances }, [
      sbomVersion(1, 'd'),
    ]);
    expect(intervals.vulnerabilities.map(({ status }) => status)).toEqual(['open', 'accepted']);
  });

  test('R3: a vulnerability stays with what it shows, also when its origin comes back in another group', () => {
    const whole = recompute(factsOf({ d: ['a@1 A B'] }), [sbomVersion(1, 'd')]);
    const rest = recompute(factsOf({ d: ['a@1 B'] }, { vulnerabilities: whole.vulnerabilities }), [
      sbomVersion(1, 'd'),
    ]);
    const both = factsOf({ d: ['a@1 B'], e: ['a@1 A'] }, { vulnerabilities: rest.vulnerabilities });
    const { vulnerabilities } = recompute(both, [sbomVersion(1, 'd'), sbomVersion(2, 'e')]);
    expect(vulnerabilities.map(({ id, identity, status }) => [id, identity, status])).toEqual([
      ['vulnerability-001', ['B'], 'fixed'],
      ['vulnerability-002', ['A'], 'open'],
    ]);
  });

  test('R3: a vulnerability that is shown does not become another vulnerability by an alias that it had once', () => {
    const whole = recompute(factsOf({ d: ['a@1 A B'] }), [sbomVersion(1, 'd')]);
    const rest = recompute(factsOf({ d: ['a@1 A'] }, { vulnerabilities: whole.vulnerabilities }), [
      sbomVersion(1, 'd'),
    ]);
    const facts = factsOf(
      { d: ['a@1 A'], e: ['a@2 B'] },
      { vulnerabilities: rest.vulnerabilities },
    );
    expect(append(facts, rest.head, sbomVersion(2, 'e'))).toBeNull();
    const { vulnerabilities } = recompute(facts, [sbomVersion(1, 'd'), sbomVersion(2, 'e')]);
    expect(vulnerabilities.map(({ id, status }) => [id, status])).toEqual([
      ['vulnerability-001', 'fixed'],
      ['vulnerability-002', 'open'],
    ]);
  });

  test('R4: vulnerabilities that were one come apart into the same vulnerabilities as before', () => {
    const sbomVersions = [sbomVersion(1, 'd')];
    const scans = [['a@1 A', 'a@1 B'], ['a@1 A B'], ['a@1 A', 'a@1 B']];
    let vulnerabilities: TrackedVulnerability[] = [];
    for (const d of scans)
      vulnerabilities = recompute(
        factsOf({ d }, { vulnerabilities }),
        sbomVersions,
      ).vulnerabilities;
    expect(vulnerabilities.map(({ id, identity, status }) => [id, identity, status])).toEqual([
      ['vulnerability-001', ['A'], 'open'],
      ['vulnerability-002', ['B'], 'open'],
    ]);
  });

  test('R4: a vulnerability that was merged does not become another vulnerability by an alias that it no longer showed', () => {
    const scans = [['a@1 C', 'a@1 A B'], ['a@1 C', 'a@1 B'], ['a@1 B C'], ['a@1 B C', 'a@1 A']];
    let vulnerabilities: TrackedVulnerability[] = [];
    for (const d of scans)
      vulnerabilities = recompute(factsOf({ d }, { vulnerabilities }), [
        sbomVersion(1, 'd'),
      ]).vulnerabilities;
    expect(
      vulnerabilities.map(({ id, identity, merged_into }) => [id, identity, merged_into]),
    ).toEqual([
      ['vulnerability-001', ['B', 'C'], null],
      ['vulnerability-002', ['B'], 'vulnerability-001'],
      ['vulnerability-003', ['A'], null],
    ]);
  });

  test('R4: a merge keeps the older vulnerability and the other one points to it', () => {
    const { vulnerabilities, vulnerabilityIdOf } = identify(
      [vulnerability('r2', ['B']), vulnerability('r1', ['A'])],
      uniteGroups([group(['A', 'B'])]),
      newIds(),
    );
    expect(vulnerabilityIdOf('npm|a', 'B')).toBe('r1');
    expect(vulnerabilities.find(({ id }) => id === 'r2')).toMatchObject({
      status: 'merged',
      merged_into: 'r1',
    });
  });

  test('R5: a group that nobody represents gets a new vulnerability', () => {
    const { vulnerabilityIdOf } = identify(
      [vulnerability('r1', ['A'])],
      uniteGroups([group(['X'])]),
      newIds(),
    );
    expect(vulnerabilityIdOf('npm|a', 'X')).toBe('new-1');
  });

  test('the aliases of one vulnerability give one tracked vulnerability in whatever order they arrive', () => {
    const [one, two, both] = [['a@1 GHSA-1'], ['a@1 PYSEC-1'], ['a@1 GHSA-1 PYSEC-1 CVE-1']];
    for (const order of [
      [one, two],
      [two, one],
    ]) {
      let vulnerabilities: TrackedVulnerability[] = [];
      for (const scan of [...order, both]) {
        vulnerabilities = recompute(factsOf({ d: scan as string[] }, { vulnerabilities }), [
          sbomVersion(1, 'd'),
        ]).vulnerabilities;
      }
      expect(vulnerabilities.filter(({ status }) => status === 'open').map(({ id }) => id)).toEqual(
        ['vulnerability-001'],
      );
    }
  });
});
