/** A requested page. */
export interface PageRequest {
  page: number;
  per_page: number;
}

/** The contract's page envelope (docs/rules.md H9). */
export interface PageEnvelope<Item> extends PageRequest {
  items: Item[];
  total: number;
  total_pages: number;
  has_more: boolean;
}

/** Wraps one page. `total_pages` is 0 for an empty list. */
export function pageEnvelope<Item>(
  found: { items: Item[]; total: number },
  requested: PageRequest,
): PageEnvelope<Item> {
  const totalPages = Math.ceil(found.total / requested.per_page);
  return {
    items: found.items,
    total: found.total,
    page: requested.page,
    per_page: requested.per_page,
    total_pages: totalPages,
    has_more: requested.page < totalPages,
  };
}
