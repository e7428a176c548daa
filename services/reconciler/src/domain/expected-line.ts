import { compareLog, type Logged, type RegisteredSbom } from './compare-log';
import { compareRows, tellValue } from './compare-rows';
import type { Difference } from './difference';
import { mendRows } from './mend-rows';
import { recompute, type Facts, type Ledger } from './reconcile';
import { sameValue } from './same-value';
import type { LogEntry, Row } from './types';

/** A line as it is stored, as far as the rules know it. */
export interface StoredState {
  head: LogEntry | null;
  rows: readonly Row[];
  log: readonly Logged[];
}

/** The catalog's records from before and from after the line was read. */
export interface Registered {
  before: readonly RegisteredSbom[];
  after: readonly RegisteredSbom[];
}

/** What a line should be. */
export interface ExpectedLine {
  ledger: Ledger;
  /** What is to be stored of its log. */
  fixes: Logged[];
}

/**
 * The line that follows from the facts: the catalog's records say which SBOMs the log has, the scans and
 * the acceptances what the rows are, the stored rows only which ids they have.
 *
 * @param facts without rows
 */
export function expectedLine(
  stored: StoredState,
  registered: Registered,
  facts: Omit<Facts, 'rows'>,
): ExpectedLine {
  const { entries, fixes } = compareLog(stored.log, registered.before, registered.after);
  return { ledger: recompute({ ...facts, rows: mendRows(stored.rows) }, entries), fixes };
}

/** How the log, the newest entry and the rows of a line differ from what they should be. */
export function compareLine(
  stored: StoredState,
  registered: Registered,
  facts: Omit<Facts, 'rows'>,
): Difference[] {
  const { differences } = compareLog(stored.log, registered.before, registered.after);
  const { ledger } = expectedLine(stored, registered, facts);
  const head: Difference[] = sameValue(stored.head, ledger.head)
    ? []
    : [
        {
          ...{ kind: 'head-differs', id: ledger.head?.sbom_id ?? null },
          about: 'newest scanned SBOM of the ledger',
          ...{ stored: tellHead(stored.head), expected: tellHead(ledger.head) },
        },
      ];
  return [...differences, ...head, ...compareRows(stored.rows, ledger.rows)];
}

function tellHead(head: LogEntry | null): string {
  return head === null ? 'none' : `${head.sbom_id} with sequence ${tellValue(head.seq)}`;
}
