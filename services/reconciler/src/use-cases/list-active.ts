import { pageWindow, type PageOf, type VulnerabilityView } from '@bomtrail/messages';
import type { DetailsStore } from '../store/details-store';
import type { LedgerStore } from '../store/ledger-store';
import type { ListFilter, ListOrder, ListStore } from '../store/list-store';

export interface ListActiveDeps {
  lists: ListStore;
  ledgers: LedgerStore;
  details: DetailsStore;
}

/** One page of the vulnerabilities that are open and not accepted. */
export async function listActive(
  deps: ListActiveDeps,
  query: ListFilter & ListOrder & { page: number; per_page: number },
): Promise<PageOf<VulnerabilityView>> {
  const { items: rows, total } = await deps.lists.page(query, query, pageWindow(query));
  const [ledgers, details] = await Promise.all([
    deps.ledgers.ledgersOf([...new Set(rows.map((row) => row.line_id))]),
    deps.details.read(rows.flatMap((row) => row.shown?.details ?? [])),
  ]);
  const heads = new Map(ledgers.map((ledger) => [ledger._id, ledger.head]));
  const items = rows.flatMap((row): VulnerabilityView[] => {
    const read = row.shown && details.get(row.shown.details);
    const head = heads.get(row.line_id);
    // A row whose line moved on between the reads is shown by the next request.
    if (!row.shown || !read || !head || !row.first_seen_at) return [];
    const { _id, ...told } = read;
    const { details: _details, ...shown } = row.shown;
    return [
      {
        ...told,
        ...shown,
        id: row._id,
        project_id: row.project_id,
        line_id: row.line_id,
        sbom_id: head.sbom_id,
        status: 'open',
        first_seen_at: row.first_seen_at.toISOString(),
        last_seen_at: head.created_at,
      },
    ];
  });
  return { items, total };
}
