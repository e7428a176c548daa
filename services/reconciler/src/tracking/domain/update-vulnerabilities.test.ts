import fc from 'fast-check';
import { compareVulnerabilities } from '../../verification/domain/compare-vulnerabilities';
import { updateVulnerabilities } from './update-vulnerabilities';
import { append, recompute, type ServiceState } from './reconcile';
import { sbomVersion, factsOf } from './testing';
import type { SbomVersion, TrackedVulnerability } from './types';

const scans = {
  none: [],
  apart: ['lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1', 'lodash@1.0.0 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 PYSEC-1', 'lodash@1.0.0 CVE-1', 'axios@0.1.0 GHSA-2'],
  other: ['lodash@1.1.0 PYSEC-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  together: ['lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1'],
};
type ScanName = keyof typeof scans;
const names = Object.keys(scans) as ScanName[];

/** Vulnerabilities of two vulnerabilities in one package, of which the younger one was merged. */
function mergedVulnerabilities(): [
  TrackedVulnerability,
  TrackedVulnerability,
  TrackedVulnerability,
] {
  const before = recompute(factsOf({ d: scans.apart }), [sbomVersion(1, 'd')]);
  const { vulnerabilities } = recompute(
    factsOf({ d: scans.together }, { vulnerabilities: before.vulnerabilities }),
    [sbomVersion(1, 'd')],
  );
  return vulnerabilities as [TrackedVulnerability, TrackedVulnerability, TrackedVulnerability];
}

describe('Rows in legal states', () => {
  test('are left as they are, whatever uploads, corrections of aliases and deletes made them', () => {
    const step = fc.record({
      does: fc.constantFrom('upload', 'correct', 'delete'),
      scan: fc.constantFrom(...names),
      at: fc.nat(5),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        let state: ServiceState = { head: null, vulnerabilities: [] };
        let sbomVersions: SbomVersion[] = [];
        const found: Record<string, string[]> = {};
        let last = 0;
        const facts = (vulnerabilities: readonly TrackedVulnerability[]) =>
          factsOf(found, {
            vulnerabilities,
            newId: () => `vulnerability-${String(++last).padStart(4, '0')}`,
          });
        for (const [n, { does, scan, at }] of steps.entries()) {
          const chosen = sbomVersions[at % Math.max(1, sbomVersions.length)];
          if (does === 'upload') {
            found[`d${n}`] = scans[scan];
            const next = sbomVersion(n + 1, `d${n}`);
            sbomVersions = [...sbomVersions, next];
            state =
              append(facts(state.vulnerabilities), state.head, next) ??
              recompute(facts(state.vulnerabilities), sbomVersions);
          } else {
            if (does === 'correct' && chosen) found[chosen.digest] = scans[scan];
            else sbomVersions = sbomVersions.filter((one) => one !== chosen);
            state = recompute(facts(state.vulnerabilities), sbomVersions);
          }
          const repaired = updateVulnerabilities(state.vulnerabilities);
          expect(repaired).toEqual(state.vulnerabilities);
          const { vulnerabilities } = recompute(facts(repaired), sbomVersions);
          expect(compareVulnerabilities(state.vulnerabilities, vulnerabilities)).toEqual([]);
        }
      }),
    );
  });
});

describe('A vulnerability that was merged', () => {
  test.each([
    ['into none', null],
    ['into one that is not there', 'row-999'],
    ['into itself', 'vulnerability-002'],
    ['into a younger one', 'vulnerability-003'],
  ])('%s becomes independent again', (_what, merged_into) => {
    const [older, younger, other] = mergedVulnerabilities();
    const [, repaired] = updateVulnerabilities([
      older,
      { ...younger, merged_into },
      { ...other, merged_into: null, status: 'vanished', identity: [] },
    ]);
    // It stands for an alias of the older one, so that it is merged into that.
    expect(repaired).toMatchObject({ status: 'merged', merged_into: older.id });
  });

  test('into one of another package does so too', () => {
    const [older, younger] = mergedVulnerabilities();
    const elsewhere = { ...older, package_key: 'npm|axios' };
    const [, repaired] = updateVulnerabilities([elsewhere, younger]);
    expect(repaired).toMatchObject({ status: 'vanished', merged_into: null });
  });
});

test('of vulnerabilities with one alias the oldest stays, also where a third one links two', () => {
  const [vulnerability] = mergedVulnerabilities();
  const of = (id: string, ...identity: string[]): TrackedVulnerability => ({
    ...vulnerability,
    id,
    identity,
    merged_into: null,
  });
  const repaired = updateVulnerabilities([of('3', 'A', 'B'), of('1', 'A'), of('2', 'B')]);
  expect(repaired.map(({ id, merged_into }) => [id, merged_into])).toEqual([
    ['3', '1'],
    ['1', null],
    ['2', '1'],
  ]);
  expect(repaired[1]?.identity).toEqual(['A', 'B']);
});
