import fc from 'fast-check';
import { append, recompute, type Facts, type Ledger } from './reconcile';
import { entry, factsOf } from './testing';
import type { LogEntry, Row } from './types';

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

function factsAt(loaded: readonly number[], rows: readonly Row[]): Facts {
  const old = [...findings('a@1', loaded), ...findings('b@1', loaded), 'a@1 GHSA-9'];
  return factsOf({ old, new: [...findings('a@2', loaded), 'a@2 GHSA-9'] }, { rows });
}

/** Rows by what they say. */
function told(rows: readonly Row[]): unknown[] {
  return rows
    .filter(({ status }) => status !== 'vanished' && status !== 'merged')
    .map(({ id: _id, origin: _origin, ...row }) => row)
    .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** The row that stands for an id. */
function resolve(rows: readonly Row[], id: string): Row | undefined {
  const row = rows.find((one) => one.id === id);
  return row?.merged_into ? resolve(rows, row.merged_into) : row;
}

interface Was {
  package_key: string;
  aliases: string[];
}

/** Is this the row, listed now, of the vulnerability that was shown? */
function handles(row: Row | undefined, was: Was): boolean {
  const isListed = row?.status === 'open' || row?.status === 'fixed';
  const now = new Set(row?.shown?.aliases);
  return (
    isListed && row.package_key === was.package_key && was.aliases.every((one) => now.has(one))
  );
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A line that takes the steps in their order; remembers every row that it ever showed. */
function play(order: readonly number[], steps: readonly Step[]) {
  const waiting = [...order];
  const loaded: number[] = [];
  const log: LogEntry[] = [];
  const shown = new Map<string, Was>();
  let ledger: Ledger = { head: null, rows: [] };
  const remember = (): void => {
    for (const { id, package_key, shown: now, status } of ledger.rows)
      if (status !== 'merged' && now) shown.set(id, { package_key, aliases: now.aliases });
  };
  const all: Step[] = [...steps, ...waiting.map((): Step => 'load'), 'rescan'];
  for (const step of all) {
    if (step === 'load') {
      loaded.push(...waiting.splice(0, 1));
      continue;
    }
    const facts = factsAt(loaded, ledger.rows);
    if (step === 'rescan') ledger = recompute(facts, log);
    else {
      const next = entry(log.length + 1, step === 'upload old' ? 'old' : 'new');
      log.push(next);
      ledger = append(facts, ledger.head, next) ?? recompute(facts, log);
    }
    remember();
  }
  return { rows: ledger.rows, shown, log };
}

const anyOrder = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 });
const RUNS = { numRuns: 1000 };
const whole = [0, 1, 2, 3, 4, 5];

describe('the aliases of one vulnerability, in 1,000 random orders', () => {
  test('loaded before the first scan give the same rows', () => {
    const log = [entry(1, 'old'), entry(2, 'new')];
    const expected = told(recompute(factsAt(whole, []), log).rows);
    expect(expected).toHaveLength(3);
    fc.assert(
      fc.property(anyOrder, (order) => {
        return same(told(recompute(factsAt(order, []), log).rows), expected);
      }),
      RUNS,
    );
  });

  test('interleaved with uploads and re-scans give the same rows, and every id ever shown resolves to the row of its vulnerability', () => {
    const step = fc.constantFrom<Step>('load', 'load', 'upload old', 'upload new', 'rescan');
    let merges = 0;
    fc.assert(
      fc.property(anyOrder, fc.array(step, { minLength: 4, maxLength: 20 }), (order, steps) => {
        const { rows, shown, log } = play(order, ['upload old', ...steps]);
        merges += rows.filter(({ status }) => status === 'merged').length;
        const isAnswered = [...shown].every(([id, was]) => handles(resolve(rows, id), was));
        return isAnswered && same(told(rows), told(recompute(factsAt(whole, []), log).rows));
      }),
      RUNS,
    );
    expect(merges).toBeGreaterThan(RUNS.numRuns / 10);
  });
});
