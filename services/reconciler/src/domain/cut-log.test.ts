import fc from 'fast-check';
import { cutLog, showAgain } from './cut-log';
import { recompute, type Ledger } from './reconcile';
import { entry, factsOf } from './testing';
import type { LogEntry, Row } from './types';

const scans = {
  none: [],
  one: ['lodash@1.0.0 GHSA-1 CVE-1'],
  bumped: ['lodash@1.1.0 GHSA-1 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  several: ['lodash@1.10.0 GHSA-1 CVE-1', 'lodash@1.9.0 GHSA-1 CVE-1', 'vue@3.0.0 GHSA-9'],
};
type Scans = Record<string, string[]>;

function without(
  rows: readonly Row[],
  log: readonly LogEntry[],
  change: { removed: readonly string[]; scans?: Scans; accepted?: boolean },
): { ledger: Ledger | null; asked: number } {
  const cut = cutLog(rows, log, new Set(change.removed));
  const acceptances = change.accepted
    ? [{ identity: ['CVE-1'], service_id: null, expires_at: null }]
    : [];
  const facts = factsOf(change.scans ?? scans, { rows, acceptances });
  return { ledger: showAgain(facts, cut), asked: cut.toShow.size };
}

function byId({ rows }: Ledger): Row[] {
  return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));
}

describe('a log without some of its entries', () => {
  const log = [entry(1, 'two'), entry(2, 'none'), entry(3, 'bumped'), entry(4, 'one')];
  const { rows } = recompute(factsOf(scans), log);

  test('R15: a row that only the entry that goes had united is for a recomputation', () => {
    const apart = { old: ['lodash@1.0.0 A B'], new: ['lodash@1.0.0 A', 'lodash@1.0.0 B'] };
    const both = [entry(1, 'old'), entry(2, 'new')];
    const united = recompute(factsOf(apart), both);
    expect(united.rows).toHaveLength(1);
    const change = { removed: ['sbom-1'], scans: apart };
    expect(without(united.rows, both, change).ledger).toBeNull();
  });

  test('R14: two runs are one when nothing between them is left', () => {
    const { ledger } = without(rows, log, { removed: ['sbom-2'] });
    expect(ledger?.rows[0]?.runs).toEqual([{ from: 1, to: null }]);
  });

  test('R14: a row is first seen in the first entry that is left', () => {
    const { ledger, asked } = without(rows, log, { removed: ['sbom-1', 'sbom-2'] });
    expect(ledger?.rows[0]).toMatchObject({ first_seen_at: entry(3, 'bumped').created_at });
    expect(ledger?.rows[1]).toMatchObject({ status: 'vanished', runs: [], shown: null });
    expect(asked).toBe(0);
  });

  test('R15: a row shows what the entry says that holds it last now', () => {
    const { ledger, asked } = without(rows, log, { removed: ['sbom-4'] });
    expect(ledger?.rows[0]?.shown?.package_version).toBe('1.1.0');
    expect(ledger?.head?.seq).toBe(3);
    expect(asked).toBe(1);
  });

  test('R15: scans that the rows do not stand on are not used', () => {
    const cases: Scans[] = [
      { ...scans, bumped: [] },
      { ...scans, bumped: ['lodash@1.1.0 GHSA-1 CVE-1 CVE-7'] },
      { ...scans, bumped: ['lodash@1.1.0 GHSA-1 CVE-1', 'new@1.0.0 GHSA-8'] },
    ];
    for (const newer of cases) {
      expect(without(rows, log, { removed: ['sbom-4'], scans: newer }).ledger).toBeNull();
    }
  });

  test('is what a recomputation from the entries that are left gives, whatever is removed', () => {
    const names = fc.array(fc.constantFrom(...Object.keys(scans)), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(names, fc.func(fc.boolean()), fc.boolean(), (digests, goes, accepted) => {
        const whole = digests.map((digest, index) => entry(2 * index + 1, digest));
        const acceptances = accepted
          ? [{ identity: ['CVE-1'], service_id: null, expires_at: null }]
          : [];
        const before = recompute(factsOf(scans, { acceptances }), whole).rows;
        const removed = whole.filter(({ seq }) => goes(seq)).map(({ sbom_id }) => sbom_id);
        const left = whole.filter(({ sbom_id }) => !removed.includes(sbom_id));
        const facts = factsOf(scans, { rows: before, acceptances });
        const expected = recompute(facts, left);
        const { ledger } = without(before, whole, { removed, accepted });
        expect(ledger && byId(ledger)).toEqual(byId(expected));
        expect(ledger?.head).toEqual(expected.head);
      }),
      { numRuns: 3000 },
    );
  });
});
