import type { Difference } from './difference';
import { sameValue } from './same-value';
import type { Row, Run } from './types';

const fields = [
  ...['status', 'merged_into', 'runs', 'first_seen_at', 'last_seen', 'identity', 'shown'],
] as (keyof Row)[];
const longestValue = 200;

/**
 * The rows of a line as they are stored against those that follow from the facts: one difference a row.
 *
 * @param expected of a recomputation over the stored rows, so that what is not new has its id
 */
export function compareRows(stored: readonly Row[], expected: readonly Row[]): Difference[] {
  const known = new Map(stored.map((row) => [row.id, row]));
  return expected.flatMap((row): Difference[] => {
    const held = known.get(row.id);
    if (!held) {
      return [
        {
          ...{ kind: 'row-missing', id: null, about: nameOf(row) },
          ...{ stored: 'no row', expected: `a row with ${tell(row, ['status', 'runs'])}` },
        },
      ];
    }
    const differing = fields.filter((field) => !sameValue(held[field], row[field]));
    if (differing.length === 0) return [];
    return [
      {
        ...{ kind: 'row-differs', id: row.id, about: nameOf(row.shown ? row : held) },
        stored: tell(held, differing, row),
        expected: tell(row, differing, held),
      },
    ];
  });
}

/** `npm|lodash CVE-2021-23337`: the package and the vulnerability. */
export function nameOf(row: Row): string {
  return `${row.package_key} ${row.shown?.cve_id ?? row.origin}`;
}

/** What a row says in these fields; of what it shows only that in which it differs from `other`. */
function tell(row: Row, told: readonly (keyof Row)[], other?: Row): string {
  return told
    .map((field) => {
      if (field === 'runs') return `in ${tellRuns(row.runs)}`;
      if (field === 'shown' && row.shown && other?.shown) return tellShown(row.shown, other.shown);
      if (field === 'merged_into') return `merged into ${row.merged_into ?? 'none'}`;
      return `${field} ${tellValue(row[field])}`;
    })
    .join(', ');
}

function tellRuns(runs: readonly Run[]): string {
  if (runs.length === 0) return 'no SBOM';
  const stretches = runs.map(({ from, to }) =>
    from === to ? `${from}` : `${from}–${to ?? 'now'}`,
  );
  return cut(`the SBOMs ${stretches.join(', ')}`);
}

function tellShown(shown: NonNullable<Row['shown']>, other: NonNullable<Row['shown']>): string {
  const names = Object.keys({ ...shown, ...other }) as (keyof typeof shown)[];
  return names
    .filter((name) => !sameValue(shown[name], other[name]))
    .map((name) => `${name} ${tellValue(shown[name])}`)
    .join(', ');
}

/** A value as one line. */
export function tellValue(value: unknown): string {
  if (value === undefined) return 'absent';
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
