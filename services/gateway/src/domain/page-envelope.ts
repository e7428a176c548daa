/** Which page of a list is asked for. */
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

/** Wraps one page. `total_pages` is 0 when there is nothing. */
export function pageEnvelope<Item>(
  found: { items: Item[]; total: number },
  asked: PageRequest,
): PageEnvelope<Item> {
  const totalPages = Math.ceil(found.total / asked.per_page);
  return {
    items: found.items,
    total: found.total,
    page: asked.page,
    per_page: asked.per_page,
    total_pages: totalPages,
    has_more: asked.page < totalPages,
  };
}
