import { severities } from '@bomtrail/messages';
import { tellValue } from '../domain/compare-rows';
import type { Difference } from '../domain/difference';
import { sameValue } from '../domain/same-value';
import type { RowDocument } from './documents';
import type { WholeLine } from './line-check-store';
import { addTo, isCounted, type ListedCounts } from './listed-counts';
import { toDocument, toRow } from './row-mapping';

/**
 * What is stored of a line beside what the rules know: what lists filter and sort by, texts, the
 * ledger's own project. Rows that differ by the rules are not told again.
 *
 * @param known the project as the catalog has it, the advisory revision in force, what the rules say,
 *   hashes of texts that are missing
 */
export function compareStored(
  line: WholeLine,
  known: {
    project_id: string;
    revision: number;
    differences: readonly Difference[];
    missing: readonly string[];
  },
): Difference[] {
  const { project_id, revision } = known;
  const told = new Set(known.differences.map(({ id }) => id));
  const missing = new Set(known.missing);
  const found: Difference[] = [];
  const { ledger } = line;
  if (ledger && ledger.project_id !== project_id) {
    found.push({
      ...{ kind: 'ledger-differs', id: null, about: 'the ledger' },
      stored: `of project ${ledger.project_id}`,
      expected: `of project ${project_id}`,
    });
  }
  const standsOn = Math.max(ledger?.revision ?? 0, ledger?.caught_up?.revision ?? 0);
  if (standsOn > revision) {
    // A re-scan that is owed would be taken for done.
    found.push({
      ...{ kind: 'ledger-differs', id: null, about: 'the ledger' },
      stored: `right for advisory revision ${standsOn}`,
      expected: `at most ${revision}, which is in force`,
    });
  }
  if (ledger && !ledger.forgotten && ledger.version > 0 && isCounted(ledger)) {
    const counted: ListedCounts = {};
    for (const { listed, severity } of line.rows) {
      if (listed && severity) addTo(counted, { [severity]: 1 }, 1);
    }
    const stored = ledger.listed ?? {};
    if (!isSame(stored, counted)) {
      found.push({
        ...{ kind: 'counters-differ', id: null, about: 'listed rows by severity in the ledger' },
        ...{ stored: tellCounts(stored), expected: tellCounts(counted) },
      });
    }
  }
  for (const row of line.rows) {
    const about = `${row.package_key} ${row.shown?.cve_id ?? row.origin}`;
    const fields = told.has(row._id) ? [] : fieldsNotAsListed(row, project_id);
    if (fields.length > 0) {
      const expected = toDocument(toRow(row), { service_id: row.service_id, project_id });
      const tell = (document: RowDocument): string =>
        fields.map((field) => `${field} ${tellValue(document[field])}`).join(', ');
      found.push({
        ...{ kind: 'row-not-as-listed', id: row._id, about },
        ...{ stored: tell(row), expected: tell(expected) },
      });
    }
    if (row.shown && missing.has(row.shown.details)) {
      found.push({
        ...{ kind: 'texts-missing', id: row._id, about },
        stored: 'no texts, so that no list shows it',
        expected: `texts with the hash ${row.shown.details}`,
      });
    }
  }
  return found;
}

/** The fields of a stored row that do not follow from what the rules know of it. */
export function fieldsNotAsListed(row: RowDocument, project_id: string): (keyof RowDocument)[] {
  const expected = toDocument(toRow(row), { service_id: row.service_id, project_id });
  return (Object.keys(expected) as (keyof RowDocument)[]).filter(
    (field) => !sameValue(plain(row[field]), plain(expected[field])),
  );
}

/** The listed rows of all lines together, against the sum over their ledgers. */
export function totalsDifference(kept: { total: ListedCounts; sum: ListedCounts }): Difference[] {
  const { total, sum } = kept;
  if (isSame(total, sum)) return [];
  return [
    {
      ...{ kind: 'totals-differ', id: null, about: 'listed rows by severity of all ledgers' },
      ...{ stored: tellCounts(total), expected: tellCounts(sum) },
    },
  ];
}

function isSame(a: ListedCounts, b: ListedCounts): boolean {
  return severities.every((severity) => (a[severity] ?? 0) === (b[severity] ?? 0));
}

/** `3 high, 1 unknown`. */
function tellCounts(counts: ListedCounts): string {
  const told = severities.flatMap((severity) =>
    counts[severity] ? [`${counts[severity]} ${severity}`] : [],
  );
  return told.length > 0 ? told.join(', ') : 'none';
}

/** A value with its dates as texts, so that they can be compared. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
