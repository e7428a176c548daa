import { compareVersions, type RegisteredSbom } from './compare-versions';
import { sbomVersion } from '../../tracking/domain/testing';

function sbom(seq: number, rest: Partial<RegisteredSbom> = {}): RegisteredSbom {
  return { ...sbomVersion(seq, 'd'), scanned: true, deleting: false, ...rest };
}
const kinds = (...args: Parameters<typeof compareVersions>) =>
  compareVersions(...args).differences.map(({ kind }) => kind);

describe('The SBOM versions against the records from before and from after it was read', () => {
  test('is right when every scanned SBOM has its version', () => {
    const records = [sbom(1), sbom(2), sbom(3, { scanned: false })];
    expect(compareVersions([sbomVersion(1, 'd'), sbomVersion(2, 'd')], records, records)).toEqual({
      differences: [],
      fixes: [],
      sbomVersions: [sbomVersion(1, 'd'), sbomVersion(2, 'd')],
    });
  });

  test.each([
    {
      what: 'an SBOM that was uploaded and scanned while it was read',
      storedVersions: [],
      before: [],
      after: [sbom(1)],
    },
    {
      what: 'one whose scan ended meanwhile',
      storedVersions: [],
      before: [sbom(1, { scanned: false })],
      after: [sbom(1)],
    },
    {
      what: 'one whose delete has begun',
      storedVersions: [],
      before: [sbom(1)],
      after: [sbom(1, { deleting: true })],
    },
    {
      what: 'one that was deleted meanwhile',
      storedVersions: [sbomVersion(1, 'd')],
      before: [sbom(1)],
      after: [],
    },
    {
      what: 'one that was registered meanwhile',
      storedVersions: [sbomVersion(1, 'd')],
      before: [],
      after: [sbom(1)],
    },
    {
      what: 'one that was removed and waits to be purged',
      storedVersions: [{ sbom_id: 'sbom-1', removed: true as const }],
      before: [sbom(1, { deleting: true })],
      after: [],
    },
  ])('$what is no difference', ({ storedVersions, before, after }) => {
    expect(kinds(storedVersions, before, after)).toEqual([]);
  });

  test('misses a scanned SBOM, also one that was removed though it is there', () => {
    const removed = { sbom_id: 'sbom-2', removed: true as const };
    const { differences, fixes, sbomVersions } = compareVersions(
      [removed],
      [sbom(1), sbom(2)],
      [sbom(1), sbom(2)],
    );
    expect(differences.map(({ kind, id }) => [kind, id])).toEqual([
      ['sbom-version-missing', 'sbom-1'],
      ['sbom-version-missing', 'sbom-2'],
    ]);
    expect(fixes).toEqual([sbomVersion(1, 'd'), sbomVersion(2, 'd')]);
    expect(sbomVersions).toEqual(fixes);
  });

  test('has an version too much, or one with wrong facts, of which the records are the truth', () => {
    const stored = [sbomVersion(1, 'd'), { ...sbomVersion(2, 'other'), seq: 9 }];
    const { differences, fixes, sbomVersions } = compareVersions(stored, [sbom(2)], [sbom(2)]);
    expect(differences).toMatchObject([
      { kind: 'sbom-version-extra', id: 'sbom-1' },
      { kind: 'sbom-version-differs', stored: 'seq 9, digest other', expected: 'seq 2, digest d' },
    ]);
    expect(fixes).toEqual([{ sbom_id: 'sbom-1', removed: true }, sbomVersion(2, 'd')]);
    expect(sbomVersions).toEqual([sbomVersion(2, 'd')]);
  });
});
