import type { VulnerabilityStatus, VulnerabilityView } from '@bomtrail/messages';
import type { DetailsStore } from '../store/details-store';
import type { RowDocument } from '../store/documents';
import type { LedgerStore } from '../store/ledger-store';

export interface RowViewsDeps {
  ledgers: LedgerStore;
  details: DetailsStore;
}

/** Rows of the newest scanned SBOMs as the lists show them, in their order. */
export async function rowViews<Row extends RowDocument & { status: VulnerabilityStatus }>(
  deps: RowViewsDeps,
  rows: readonly Row[],
): Promise<{ row: Row; view: VulnerabilityView }[]> {
  const [ledgers, details] = await Promise.all([
    deps.ledgers.ledgersOf([...new Set(rows.map((row) => row.line_id))]),
    deps.details.read(rows.flatMap((row) => row.shown?.details ?? [])),
  ]);
  const heads = new Map(ledgers.map((ledger) => [ledger._id, ledger.head]));
  return rows.flatMap((row) => {
    const read = row.shown && details.get(row.shown.details);
    const head = heads.get(row.line_id);
    // A row whose line moved on between the reads is shown by the next request.
    if (!row.shown || !read || !head || !row.first_seen_at) return [];
    const { _id, ...told } = read;
    const { details: _details, ...shown } = row.shown;
    const view: VulnerabilityView = {
      ...told,
      ...shown,
      id: row._id,
      project_id: row.project_id,
      line_id: row.line_id,
      sbom_id: head.sbom_id,
      status: row.status,
      first_seen_at: row.first_seen_at.toISOString(),
      last_seen_at: head.created_at,
    };
    return [{ row, view }];
  });
}
