import fc from 'fast-check';
import { append, recompute, type Ledger } from './reconcile';
import { entry, factsOf, observation } from './testing';
import type { LogEntry, Row } from './types';

const scans = {
  none: [],
  one: ['lodash@1.0.0 GHSA-1 CVE-1'],
  bumped: ['lodash@1.1.0 GHSA-1 CVE-1'],
  two: ['lodash@1.0.0 GHSA-1 CVE-1', 'axios@0.1.0 GHSA-2'],
  several: ['lodash@1.10.0 GHSA-1 CVE-1', 'lodash@1.9.0 GHSA-1 CVE-1'],
};
type ScanName = keyof typeof scans;

function states(ledger: Ledger): Record<string, string> {
  return Object.fromEntries(
    ledger.rows.map((row) => [row.shown?.package_name ?? row.id, row.status]),
  );
}

describe('presence over a version log', () => {
  test('version 2 without a vulnerable package turns its row fixed, and deleting version 2 turns it back', () => {
    const both = recompute(factsOf(scans), [entry(1, 'two'), entry(2, 'one')]);
    expect(states(both)).toEqual({ lodash: 'open', axios: 'fixed' });
    const after = recompute(factsOf(scans, { rows: both.rows }), [entry(1, 'two')]);
    expect(states(after)).toEqual({ lodash: 'open', axios: 'open' });
    expect(after.rows.map(({ id }) => id)).toEqual(both.rows.map(({ id }) => id));
  });

  test('what only a deleted SBOM held vanishes, but its identity stays', () => {
    const before = recompute(factsOf(scans), [entry(1, 'one'), entry(2, 'two')]);
    const after = recompute(factsOf(scans, { rows: before.rows }), [entry(1, 'one')]);
    expect(after.rows.map(({ status }) => status)).toEqual(['open', 'vanished']);
    const again = recompute(factsOf(scans, { rows: after.rows }), [
      entry(1, 'one'),
      entry(3, 'two'),
    ]);
    expect(again.rows[1]).toMatchObject({ id: before.rows[1]?.id, status: 'open' });
  });

  test('a row keeps when it was first seen, also when it comes back', () => {
    const log = [entry(1, 'one'), entry(2, 'none'), entry(3, 'one')];
    const { rows } = recompute(factsOf(scans), log);
    expect(rows[0]).toMatchObject({
      first_seen_at: log[0]?.created_at,
      runs: [
        { from: 1, to: 1 },
        { from: 3, to: null },
      ],
      last_seen: null,
    });
  });

  test('a fixed row says which SBOM held it last', () => {
    const { rows } = recompute(factsOf(scans), [
      entry(1, 'one'),
      entry(2, 'one'),
      entry(3, 'none'),
    ]);
    expect(rows[0]?.last_seen).toEqual({ sbom_id: 'sbom-2', at: entry(2, 'one').created_at });
  });

  test('R6: of several affected versions the lowest is shown, by the order of the ecosystem', () => {
    const { rows } = recompute(factsOf(scans), [entry(1, 'several')]);
    expect(rows[0]?.shown).toMatchObject({
      package_version: '1.9.0',
      package_versions: ['1.9.0', '1.10.0'],
    });
  });

  test('an upload that changes nothing leaves every row the same object', () => {
    const first = recompute(factsOf(scans), [entry(1, 'two')]);
    const next = append(factsOf(scans, { rows: first.rows }), first.head, entry(2, 'two'));
    expect(next?.rows.every((row, index) => row === first.rows[index])).toBe(true);
  });
});

describe('acceptances', () => {
  const accepted = (rest = {}) => [
    { identity: ['CVE-1'], service_id: null, expires_at: null, ...rest },
  ];

  test('R13: an acceptance covers its alias set in later versions and package bumps', () => {
    const facts = factsOf(scans, { acceptances: accepted() });
    expect(states(recompute(facts, [entry(1, 'two'), entry(2, 'bumped')]))).toEqual({
      lodash: 'accepted',
      axios: 'fixed',
    });
  });

  test('R13: of another service, or expired, it covers nothing', () => {
    for (const rest of [{ service_id: 'other' }, { expires_at: '1970-01-01T00:00:00.000Z' }]) {
      const facts = factsOf(scans, { acceptances: accepted(rest) });
      expect(states(recompute(facts, [entry(1, 'one')]))).toEqual({ lodash: 'open' });
    }
  });

  test('R11: what is no longer in the newest SBOM is fixed, accepted or not', () => {
    const facts = factsOf(scans, { acceptances: accepted() });
    expect(states(recompute(facts, [entry(1, 'one'), entry(2, 'none')]))).toEqual({
      lodash: 'fixed',
    });
  });
});

describe('any history', () => {
  const digests = fc.array(fc.constantFrom(...(Object.keys(scans) as ScanName[])), {
    maxLength: 12,
  });
  const logOf = (names: ScanName[]): LogEntry[] =>
    names.map((name, index) => entry(index + 1, name));

  /** Rows by what they say, whatever ids they happened to get. */
  function told(rows: readonly Row[]): unknown[] {
    return rows
      .filter(({ status }) => status !== 'vanished')
      .map(({ id: _id, ...row }) => row)
      .sort((a, b) => (a.package_key < b.package_key ? -1 : 1));
  }

  test('taken step by step or recomputed in any order, the rows are the same', () => {
    fc.assert(
      fc.property(digests, fc.func(fc.nat()), (names, shuffle) => {
        const log = logOf(names);
        let ledger: Ledger = { head: null, rows: [] };
        for (const step of log) {
          const next = append(factsOf(scans, { rows: ledger.rows }), ledger.head, step);
          expect(next).not.toBeNull();
          ledger = next as Ledger;
        }
        const shuffled = [...log].sort((a, b) => shuffle(a.seq) - shuffle(b.seq));
        const whole = recompute(factsOf(scans), shuffled);
        expect(told(ledger.rows)).toEqual(told(whole.rows));
        expect(ledger.head).toEqual(whole.head);
      }),
    );
  });

  test('an upload that is deleted again leaves what was before it', () => {
    fc.assert(
      fc.property(
        digests,
        fc.constantFrom(...(Object.keys(scans) as ScanName[])),
        (names, extra) => {
          const log = logOf(names);
          const before = recompute(factsOf(scans), log);
          const during = append(
            factsOf(scans, { rows: before.rows }),
            before.head,
            entry(99, extra),
          );
          const after = recompute(factsOf(scans, { rows: during?.rows ?? [] }), log);
          expect(told(after.rows)).toEqual(told(before.rows));
        },
      ),
    );
  });

  test('recomputing twice changes nothing', () => {
    fc.assert(
      fc.property(digests, (names) => {
        const once = recompute(factsOf(scans), logOf(names));
        const twice = recompute(factsOf(scans, { rows: once.rows }), logOf(names));
        expect(twice).toEqual(once);
      }),
    );
  });
});

describe('some packages of a line', () => {
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

  test('recomputed alone are what the recomputation of the whole line gives, and the others are as they were', () => {
    const log = ['a', 'b', 'a', 'c'].map((digest, index) => entry(index + 1, digest));
    fc.assert(
      fc.property(anyScans, anyScans, packages, (before, now, changed) => {
        const has = ({ package_key }: { package_key: string }) => changed.includes(package_key);
        const stored = recompute(factsOf(before), log).rows;
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
        const whole = recompute(factsOf(scans, { rows: stored }), log);
        const all = factsOf(scans, { rows: stored });
        const observations = new Map(
          [...all.observations].map(([digest, some]) => [digest, some.filter(has)]),
        );
        const some = recompute({ ...all, rows: stored.filter(has), observations }, log);
        const told = (rows: readonly Row[]) => rows.map((row) => JSON.stringify(row)).sort();
        expect(told([...stored.filter((row) => !has(row)), ...some.rows])).toEqual(
          told(whole.rows),
        );
        expect(some.head).toEqual(whole.head);
      }),
    );
  });
});
