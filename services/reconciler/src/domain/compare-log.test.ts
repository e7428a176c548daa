import { compareLog, type RegisteredSbom } from './compare-log';
import { entry } from './testing';

function sbom(seq: number, rest: Partial<RegisteredSbom> = {}): RegisteredSbom {
  return { ...entry(seq, 'd'), scanned: true, deleting: false, ...rest };
}
const kinds = (...args: Parameters<typeof compareLog>) =>
  compareLog(...args).differences.map(({ kind }) => kind);

describe('The log against the records from before and from after it was read', () => {
  test('is right when every scanned SBOM has its entry', () => {
    const records = [sbom(1), sbom(2), sbom(3, { scanned: false })];
    expect(compareLog([entry(1, 'd'), entry(2, 'd')], records, records)).toEqual({
      ...{ differences: [], fixes: [], entries: [entry(1, 'd'), entry(2, 'd')] },
    });
  });

  test.each([
    {
      what: 'an SBOM that was uploaded and scanned while it was read',
      ...{ logged: [], before: [], after: [sbom(1)] },
    },
    {
      what: 'one whose scan ended meanwhile',
      ...{ logged: [], before: [sbom(1, { scanned: false })], after: [sbom(1)] },
    },
    {
      what: 'one whose delete has begun',
      ...{ logged: [], before: [sbom(1)], after: [sbom(1, { deleting: true })] },
    },
    {
      what: 'one that was deleted meanwhile',
      ...{ logged: [entry(1, 'd')], before: [sbom(1)], after: [] },
    },
    {
      what: 'one that was registered meanwhile',
      ...{ logged: [entry(1, 'd')], before: [], after: [sbom(1)] },
    },
    {
      what: 'one that was removed and waits to be purged',
      logged: [{ sbom_id: 'sbom-1', removed: true as const }],
      ...{ before: [sbom(1, { deleting: true })], after: [] },
    },
  ])('$what is no difference', ({ logged, before, after }) => {
    expect(kinds(logged, before, after)).toEqual([]);
  });

  test('misses a scanned SBOM, also one that was removed though it is there', () => {
    const removed = { sbom_id: 'sbom-2', removed: true as const };
    const { differences, fixes, entries } = compareLog(
      [removed],
      [sbom(1), sbom(2)],
      [sbom(1), sbom(2)],
    );
    expect(differences.map(({ kind, id }) => [kind, id])).toEqual([
      ['log-entry-missing', 'sbom-1'],
      ['log-entry-missing', 'sbom-2'],
    ]);
    expect(fixes).toEqual([entry(1, 'd'), entry(2, 'd')]);
    expect(entries).toEqual(fixes);
  });

  test('has an entry too much, or one with wrong facts, of which the records are the truth', () => {
    const log = [entry(1, 'd'), { ...entry(2, 'other'), seq: 9 }];
    const { differences, fixes, entries } = compareLog(log, [sbom(2)], [sbom(2)]);
    expect(differences).toMatchObject([
      { kind: 'log-entry-extra', id: 'sbom-1' },
      { kind: 'log-entry-differs', stored: 'seq 9, digest other', expected: 'seq 2, digest d' },
    ]);
    expect(fixes).toEqual([{ sbom_id: 'sbom-1', removed: true }, entry(2, 'd')]);
    expect(entries).toEqual([entry(2, 'd')]);
  });
});
