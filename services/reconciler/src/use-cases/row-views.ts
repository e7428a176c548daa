import type {
  VulnerabilityDetails,
  VulnerabilityStatus,
  VulnerabilityView,
} from '@bomtrail/messages';
import type { LogEntry } from '../domain/types';
import type { DetailsStore } from '../store/details-store';
import type { ShownRow } from '../store/documents';
import type { LedgerStore } from '../store/ledger-store';

export interface RowViewsDeps {
  ledgers: LedgerStore;
  details: DetailsStore;
}

/** Rows as the lists show them, in their order. */
export async function rowViews<Row extends ShownRow & { status: VulnerabilityStatus }>(
  deps: RowViewsDeps,
  rows: readonly Row[],
): Promise<{ row: Row; view: VulnerabilityView }[]> {
  const [heads, details] = await Promise.all([
    deps.ledgers.headsOf([...new Set(rows.map((row) => row.service_id))]),
    deps.details.read(rows.flatMap((row) => row.shown?.details ?? [])),
  ]);
  return rows.flatMap((row) => {
    const view = viewOf(row, { head: heads.get(row.service_id) ?? null, details });
    // A row whose line moved on between the reads is shown by the next request.
    return view ? [{ row, view }] : [];
  });
}

/** A row as people see it; null where what it refers to is not at hand. */
export function viewOf(
  row: ShownRow & { status: VulnerabilityStatus },
  read: { head: LogEntry | null; details: ReadonlyMap<string, VulnerabilityDetails> },
): VulnerabilityView | null {
  const { last_seen, first_seen_at } = row;
  const texts = row.shown && read.details.get(row.shown.details);
  const seen = last_seen
    ? { sbom_id: last_seen.sbom_id, at: last_seen.at.toISOString() }
    : read.head && { sbom_id: read.head.sbom_id, at: read.head.created_at };
  if (!row.shown || !texts || !seen || !first_seen_at) return null;
  const { details: _details, ...shown } = row.shown;
  return {
    ...texts,
    ...shown,
    is_root: shown.is_root ?? false,
    id: row._id,
    project_id: row.project_id,
    service_id: row.service_id,
    sbom_id: seen.sbom_id,
    status: row.status,
    first_seen_at: first_seen_at.toISOString(),
    last_seen_at: seen.at,
  };
}
