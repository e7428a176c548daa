import fc from 'fast-check';
import { append, recompute, type Facts, type ServiceState } from './reconcile';
import { sbomVersion, factsOf } from './testing';
import type { SbomVersion, TrackedVulnerability } from './types';

/** The records of one vulnerability, by the ids that each names; some match no package themselves. */
const RECORDS: readonly { id: string; aliases: readonly string[]; matches: boolean }[] = [
  { id: 'GHSA-1', aliases: ['CVE-1'], matches: true },
  { id: 'PYSEC-1', aliases: ['GHSA-1'], matches: true },
  { id: 'OSV-1', aliases: ['CVE-2'], matches: true },
  { id: 'CVE-1', aliases: [], matches: false },
  { id: 'CVE-2', aliases: ['cve-1'], matches: false },
  { id: 'SNYK-1', aliases: ['OSV-1', 'PYSEC-1'], matches: true },
];

type Step = 'load' | 'upload old' | 'upload new' | 'rescan';

/** What the scanner says of a package when these records are loaded: one finding for each group. */
function findings(component: string, loaded: readonly number[]): string[] {
  const groups: Set<string>[] = [];
  for (const { id, aliases } of loaded.flatMap((index) => RECORDS[index] ?? [])) {
    const names = new Set([id, ...aliases.map((alias) => alias.toUpperCase())]);
    for (const group of groups.filter((one) => [...one].some((name) => names.has(name)))) {
      for (const name of group) names.add(name);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push(names);
  }
  const matching = loaded.flatMap((index) => RECORDS[index] ?? []).filter(({ matches }) => matches);
  return groups
    .filter((group) => matching.some(({ id }) => group.has(id)))
    .map((group) => [component, ...[...group].sort()].join(' '));
}

function factsAt(
  loaded: readonly number[],
  vulnerabilities: readonly TrackedVulnerability[],
): Facts {
  const old = [...findings('a@1', loaded), ...findings('b@1', loaded), 'a@1 GHSA-9'];
  return factsOf({ old, new: [...findings('a@2', loaded), 'a@2 GHSA-9'] }, { vulnerabilities });
}

/** Vulnerabilities by what they say. */
function reported(vulnerabilities: readonly TrackedVulnerability[]): unknown[] {
  return vulnerabilities
    .filter(({ status }) => status !== 'vanished' && status !== 'merged')
    .map(({ id: _id, origin: _origin, ...vulnerability }) => vulnerability)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** The vulnerability that stands for an id. */
function resolve(
  vulnerabilities: readonly TrackedVulnerability[],
  id: string,
): TrackedVulnerability | undefined {
  const vulnerability = vulnerabilities.find((one) => one.id === id);
  return vulnerability?.merged_into
    ? resolve(vulnerabilities, vulnerability.merged_into)
    : vulnerability;
}

interface Was {
  package_key: string;
  aliases: string[];
}

/** Is this the vulnerability, listed now, of the vulnerability that was shown? */
function handles(vulnerability: TrackedVulnerability | undefined, was: Was): boolean {
  const isOpen = vulnerability?.status === 'open' || vulnerability?.status === 'fixed';
  const now = new Set(vulnerability?.snapshot?.aliases);
  return (
    isOpen &&
    vulnerability.package_key === was.package_key &&
    was.aliases.every((one) => now.has(one))
  );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A service that takes the steps in their order; remembers every vulnerability that it ever showed. */
function play(order: readonly number[], steps: readonly Step[]) {
  const waiting = [...order];
  const loaded: number[] = [];
  const sbomVersions: SbomVersion[] = [];
  const snapshot = new Map<string, Was>();
  let state: ServiceState = { head: null, vulnerabilities: [] };
  const remember = (): void => {
    for (const { id, package_key, snapshot: now, status } of state.vulnerabilities)
      if (status !== 'merged' && now) snapshot.set(id, { package_key, aliases: now.aliases });
  };
  const all: Step[] = [...steps, ...waiting.map((): Step => 'load'), 'rescan'];
  for (const step of all) {
    if (step === 'load') {
      loaded.push(...waiting.splice(0, 1));
      continue;
    }
    const facts = factsAt(loaded, state.vulnerabilities);
    if (step === 'rescan') state = recompute(facts, sbomVersions);
    else {
      const next = sbomVersion(sbomVersions.length + 1, step === 'upload old' ? 'old' : 'new');
      sbomVersions.push(next);
      state = append(facts, state.head, next) ?? recompute(facts, sbomVersions);
    }
    remember();
  }
  return { vulnerabilities: state.vulnerabilities, snapshot, sbomVersions };
}

const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 });
const RUNS = { numRuns: 1000 };
const whole = [0, 1, 2, 3, 4, 5];

describe('the aliases of one vulnerability, in 1,000 random orders', () => {
  test('loaded before the first scan give the same vulnerabilities', () => {
    const sbomVersions = [sbomVersion(1, 'old'), sbomVersion(2, 'new')];
    const expected = reported(recompute(factsAt(whole, []), sbomVersions).vulnerabilities);
    expect(expected).toHaveLength(3);
    fc.assert(
      fc.property(anyOrder, (order) => {
        return same(
          reported(recompute(factsAt(order, []), sbomVersions).vulnerabilities),
          expected,
        );
      }),
      RUNS,
    );
  });

  test('interleaved with uploads and re-scans give the same vulnerabilities, and every id ever shown resolves to the vulnerability of its vulnerability', () => {
    const step = fc.constantFrom<Step>('load', 'load', 'upload old', 'upload new', 'rescan');
    let merges = 0;
    fc.assert(
      fc.property(anyOrder, fc.array(step, { minLength: 4, maxLength: 20 }), (order, steps) => {
        const { vulnerabilities, snapshot, sbomVersions } = play(order, ['upload old', ...steps]);
        merges += vulnerabilities.filter(({ status }) => status === 'merged').length;
        const isAnswered = [...snapshot].every(([id, was]) =>
          handles(resolve(vulnerabilities, id), was),
        );
        return (
          isAnswered &&
          same(
            reported(vulnerabilities),
            reported(recompute(factsAt(whole, []), sbomVersions).vulnerabilities),
          )
        );
      }),
      RUNS,
    );
    expect(merges).toBeGreaterThan(RUNS.numRuns / 10);
  });
});
