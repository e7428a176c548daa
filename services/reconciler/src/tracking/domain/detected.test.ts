import { detectedAt } from './detected';
import { insertVersion } from './add-version';
import { append, recompute, type Facts, type ServiceState } from './reconcile';
import { removeVersions } from './remove-versions';
import { factsOf, sbomVersion } from './testing';
import type { PresenceInterval, SbomVersion } from './types';

const at = (minute: number): string => new Date(minute * 60_000).toISOString();
/** A version whose scan ended at this minute. */
const scanned = (seq: number, digest: string, minute: number): SbomVersion => ({
  ...sbomVersion(seq, digest),
  scanned_at: at(minute),
});
const vulnerable = ['lodash@1.0.0 GHSA-1'];
const scans = { bad: vulnerable, good: [] };

function appendAll(facts: Facts, versions: readonly SbomVersion[]): ServiceState {
  let state: ServiceState = { head: null, vulnerabilities: [] };
  for (const version of versions) {
    const { head, vulnerabilities } = state;
    const next = append({ ...facts, vulnerabilities }, head, version);
    if (!next) throw new Error('Identities were reshaped.');
    state = next;
  }
  return state;
}
const presenceOf = ({ vulnerabilities: [one] }: Pick<ServiceState, 'vulnerabilities'>) =>
  one?.presence;
const interval = (from: number, to: number | null, minute: number): PresenceInterval => ({
  from,
  to,
  detected_at: at(minute),
});

describe('DT1 a stretch of presence was detected', () => {
  test('when the scan of its first SBOM ended', () => {
    const state = appendAll(factsOf(scans), [scanned(1, 'bad', 5), scanned(2, 'bad', 9)]);
    expect(presenceOf(state)).toEqual([interval(1, null, 5)]);
    expect(state.vulnerabilities.map(detectedAt)).toEqual([at(5)]);
  });

  test.each([
    ['when the advisory took effect', 30, 30],
    ['not before the scan ended', 3, 7],
  ])('%s, if an advisory change brought it', (_title, changed, expected) => {
    const versions = [scanned(1, 'good', 5), scanned(2, 'bad', 7)];
    const facts = factsOf(scans, { change: { at: at(changed), added: new Set() } });
    expect(presenceOf(recompute(facts, versions))).toEqual([interval(2, null, expected)]);
  });

  test('again when a later SBOM brings it back', () => {
    const versions = [scanned(1, 'bad', 5), scanned(2, 'good', 6), scanned(3, 'bad', 8)];
    expect(presenceOf(appendAll(factsOf(scans), versions))).toEqual([
      interval(1, 1, 5),
      interval(3, null, 8),
    ]);
  });

  test('at an unknown time, if the end of the scan is not stored', () => {
    const state = appendAll(factsOf(scans), [sbomVersion(1, 'bad')]);
    expect(presenceOf(state)).toEqual([{ from: 1, to: null }]);
    expect(state.vulnerabilities.map(detectedAt)).toEqual([null]);
  });
});

describe('DT2 the time of a stretch stays', () => {
  const versions = [scanned(2, 'bad', 5), scanned(4, 'bad', 9)];
  const state = appendAll(factsOf(scans), versions);

  test.each([
    ['grows backwards by a late SBOM', scanned(1, 'bad', 20), [interval(1, null, 5)]],
    ['is split by a late SBOM', scanned(3, 'good', 20), [interval(2, 2, 5), interval(4, null, 5)]],
  ])('when it %s', (_title, late, expected) => {
    const before = late.seq === 1 ? null : 2;
    const position = { sbomVersion: late, before, after: late.seq === 1 ? 2 : 4 };
    const facts = factsOf(scans, { vulnerabilities: state.vulnerabilities });
    const inserted = insertVersion(facts, versions[1] as SbomVersion, position);
    expect(inserted && presenceOf(inserted)).toEqual(expected);
    const change = { at: at(99), added: new Set([late.sbom_id]) };
    expect(presenceOf(recompute({ ...facts, change }, [...versions, late]))).toEqual(expected);
  });

  test('when an advisory no longer applies to its first SBOM', () => {
    const [first, second] = [scanned(1, 'a', 5), scanned(2, 'b', 9)];
    const both = { a: ['lodash@1.0.0 GHSA-1'], b: ['lodash@1.1.0 GHSA-1'] };
    const { vulnerabilities } = appendAll(factsOf(both), [first, second]);
    const change = { at: at(60), added: new Set<string>() };
    const facts = factsOf({ ...both, a: [] }, { vulnerabilities, change });
    expect(presenceOf(recompute(facts, [first, second]))).toEqual([interval(2, null, 5)]);
  });
});

test('DT3 stretches that become one have the earliest time', () => {
  const versions = [scanned(1, 'bad', 5), scanned(2, 'good', 6), scanned(3, 'bad', 8)];
  const { vulnerabilities } = appendAll(factsOf(scans), versions);
  const without = removeVersions(vulnerabilities, versions, new Set(['sbom-2']));
  expect(presenceOf(without)).toEqual([interval(1, null, 5)]);
  const change = { at: at(60), added: new Set<string>() };
  const facts = factsOf({ ...scans, good: vulnerable }, { vulnerabilities, change });
  expect(presenceOf(recompute(facts, versions))).toEqual([interval(1, null, 5)]);
});

test('DT4 after the delete of its first SBOM a stretch begins with the scan of the next one', () => {
  const versions = [scanned(1, 'bad', 5), scanned(2, 'bad', 9), scanned(3, 'bad', 12)];
  const { vulnerabilities } = appendAll(factsOf(scans), versions);
  const expected = [interval(2, null, 9)];
  const left = removeVersions(vulnerabilities, versions, new Set(['sbom-1']));
  expect(presenceOf(left)).toEqual(expected);
  const change = { at: at(60), added: new Set<string>() };
  const facts = factsOf(scans, { vulnerabilities, change });
  expect(presenceOf(recompute(facts, versions.slice(1)))).toEqual(expected);
  expect(presenceOf(appendAll(factsOf(scans), versions.slice(1)))).toEqual(expected);
});

describe('DT5 when alias groups change,', () => {
  const versions = [scanned(1, 'a', 5), scanned(2, 'b', 9)];
  const apart = { a: ['lodash@1 GHSA-1'], b: ['lodash@1 GHSA-1', 'lodash@1 GHSA-2'] };
  const united = { a: ['lodash@1 GHSA-1 GHSA-2'], b: ['lodash@1 GHSA-1 GHSA-2'] };
  const change = { at: at(60), added: new Set<string>() };

  test('a merged vulnerability has the earliest time of its parts', () => {
    const { vulnerabilities } = appendAll(factsOf(apart), versions);
    const state = recompute(factsOf(united, { vulnerabilities, change }), versions);
    expect(state.vulnerabilities.map(detectedAt)).toEqual([at(5), null]);
  });

  test('each part of a split one keeps its time', () => {
    const { vulnerabilities } = recompute(factsOf(united), versions);
    const state = recompute(factsOf(apart, { vulnerabilities, change }), versions);
    expect(state.vulnerabilities.map(detectedAt)).toEqual([at(5), at(5)]);
  });
});
