import fc from 'fast-check';
import { briefRecords, type MatchedObservation } from './brief-records';
import type { Fit, VisibleVulnerability } from './match-observations';
import { toSnapshot } from '../../tracking/domain/snapshot';
import { observation } from '../../tracking/domain/testing';
import type { Observation, PresenceInterval } from '../../tracking/domain/types';

/** Observations as those of the vulnerability `id`, whatever it says. */
function placed(id: string, ...texts: (string | Observation)[]): MatchedObservation[] {
  return texts.map((text) => ({
    observation: typeof text === 'string' ? observation(text) : text,
    vulnerability: {
      id,
      status: 'open',
      presence: [] as PresenceInterval[],
    } as VisibleVulnerability,
    fit: 'same' as Fit,
  }));
}

describe('R18: an SBOM has one brief record for each tracked vulnerability', () => {
  test('in its lowest version, with all versions beside it', () => {
    const [one, ...others] = briefRecords([
      ...placed('1', 'a@10.0.0 GHSA-1 CVE-1', 'a@9.0.0 GHSA-1 CVE-1'),
    ]).map(({ brief }) => brief);
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      id: '1',
      package_version: '9.0.0',
      package_versions: ['9.0.0', '10.0.0'],
      purl: 'pkg:npm/a@9.0.0',
      occurrences: [
        { package_version: '9.0.0', purl: 'pkg:npm/a@9.0.0', advisory_ids: ['GHSA-1'] },
        { package_version: '10.0.0', purl: 'pkg:npm/a@10.0.0', advisory_ids: ['GHSA-1'] },
      ],
    });
  });

  test('without occurrences where there is one component', () => {
    const [one] = briefRecords(placed('1', 'a@1.0.0 GHSA-1'));
    expect(one?.brief).toMatchObject({ package_versions: ['1.0.0'] });
    expect(one?.brief).not.toHaveProperty('occurrences');
  });

  test('with the advisories of all versions, and the worst severity', () => {
    const low = { ...observation('a@1.0.0 GHSA-1'), severity: 'low', cvss_score: 2 } as const;
    const [one] = briefRecords(placed('1', 'a@2.0.0 GHSA-2', low));
    expect(one?.brief).toMatchObject({
      package_version: '1.0.0',
      severity: 'high',
      cvss_score: 7.5,
      advisory_ids: ['GHSA-1', 'GHSA-2'],
    });
  });

  test('that says whether the document is about the package', () => {
    const root = { ...observation('a@1.0.0 GHSA-1'), is_root: true, is_direct: true } as const;
    const briefs = (...all: (Observation | string)[]) =>
      briefRecords(placed('1', ...all)).map(({ brief: { is_root, is_direct } }) => [
        is_root,
        is_direct,
      ]);
    expect(briefs('a@2.0.0 GHSA-1', root)).toEqual([[true, true]]);
    expect(briefs('a@2.0.0 GHSA-1')).toEqual([[false, false]]);
  });

  test('that fits its vulnerability no better than its worst observation does', () => {
    const [one, other] = placed('1', 'a@1.0.0 GHSA-1', 'a@2.0.0 GHSA-1') as [
      MatchedObservation,
      MatchedObservation,
    ];
    expect(briefRecords([one, { ...other, fit: 'other' }])).toMatchObject([{ fit: 'other' }]);
    expect(briefRecords([{ ...one, fit: 'wider' }, other])).toMatchObject([{ fit: 'wider' }]);
  });

  test('that shows what the lists show, in whatever order the findings come', () => {
    const ids = fc.constantFrom('1', '2', '3');
    const versions = fc.constantFrom('1.0.0', '2.0.0', '9.0.0', '10.0.0', 'x?');
    fc.assert(
      fc.property(fc.array(fc.tuple(ids, versions)), (pairs) => {
        const all = pairs.flatMap(([id, version]) => placed(id, `p${id}@${version} GHSA-${id}`));
        const records = briefRecords(all).map(({ brief }) => brief);
        expect(records.map(({ id }) => id)).toEqual([...new Set(pairs.map(([id]) => id))]);
        for (const record of records) {
          const own = all.filter(({ vulnerability }) => vulnerability.id === record.id);
          expect(record).toMatchObject({
            package_version: toSnapshot(own.map((one) => one.observation)).package_version,
            package_versions: toSnapshot(own.map((one) => one.observation)).package_versions,
          });
        }
      }),
    );
  });
});
