import fc from 'fast-check';
import { compareRows } from './compare-rows';
import { mendRows } from './mend-rows';
import { append, recompute, type Ledger } from './reconcile';
import { entry, factsOf } from './testing';
import type { LogEntry, Row } from './types';

const scans = {
  none: [],
  apart: ['lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1', 'lodash@1.0.0 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 PYSEC-1', 'lodash@1.0.0 CVE-1', 'axios@0.1.0 GHSA-2'],
  other: ['lodash@1.1.0 PYSEC-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  together: ['lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1'],
};
type ScanName = keyof typeof scans;
const names = Object.keys(scans) as ScanName[];

/** Rows of two vulnerabilities in one package, of which the younger one was merged. */
function mergedRows(): [Row, Row, Row] {
  const before = recompute(factsOf({ d: scans.apart }), [entry(1, 'd')]);
  const { rows } = recompute(factsOf({ d: scans.together }, { rows: before.rows }), [
    entry(1, 'd'),
  ]);
  return rows as [Row, Row, Row];
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
        let ledger: Ledger = { head: null, rows: [] };
        let log: LogEntry[] = [];
        const found: Record<string, string[]> = {};
        let last = 0;
        const facts = (rows: readonly Row[]) =>
          factsOf(found, { rows, newId: () => `row-${String(++last).padStart(4, '0')}` });
        for (const [n, { does, scan, at }] of steps.entries()) {
          const chosen = log[at % Math.max(1, log.length)];
          if (does === 'upload') {
            found[`d${n}`] = scans[scan];
            const next = entry(n + 1, `d${n}`);
            log = [...log, next];
            ledger =
              append(facts(ledger.rows), ledger.head, next) ?? recompute(facts(ledger.rows), log);
          } else {
            if (does === 'correct' && chosen) found[chosen.digest] = scans[scan];
            else log = log.filter((one) => one !== chosen);
            ledger = recompute(facts(ledger.rows), log);
          }
          const mended = mendRows(ledger.rows);
          expect(mended).toEqual(ledger.rows);
          const { rows } = recompute(facts(mended), log);
          expect(compareRows(ledger.rows, rows)).toEqual([]);
        }
      }),
    );
  });
});

describe('A row that was merged', () => {
  test.each([
    ['into none', null],
    ['into one that is not there', 'row-999'],
    ['into itself', 'row-002'],
    ['into a younger one', 'row-003'],
  ])('%s stands for itself again', (_what, merged_into) => {
    const [older, younger, other] = mergedRows();
    const [, mended] = mendRows([
      older,
      { ...younger, merged_into },
      { ...other, merged_into: null, status: 'vanished', identity: [] },
    ]);
    // It stands for an alias of the older one, so that it is merged into that.
    expect(mended).toMatchObject({ status: 'merged', merged_into: older.id });
  });

  test('into one of another package does so too', () => {
    const [older, younger] = mergedRows();
    const elsewhere = { ...older, package_key: 'npm|axios' };
    const [, mended] = mendRows([elsewhere, younger]);
    expect(mended).toMatchObject({ status: 'vanished', merged_into: null });
  });
});

test('of rows that stand for one alias the oldest stays, also where a third one links two', () => {
  const [row] = mergedRows();
  const of = (id: string, ...identity: string[]): Row => ({
    ...row,
    id,
    identity,
    merged_into: null,
  });
  const mended = mendRows([of('3', 'A', 'B'), of('1', 'A'), of('2', 'B')]);
  expect(mended.map(({ id, merged_into }) => [id, merged_into])).toEqual([
    ['3', '1'],
    ['1', null],
    ['2', '1'],
  ]);
  expect(mended[1]?.identity).toEqual(['A', 'B']);
});
