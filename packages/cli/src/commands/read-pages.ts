import { maxPageSize } from './max-page-size';

/** Reads a list page by page. @returns the last page, with the items of all, at most `limit` */
export async function readPages<Page extends { items: readonly unknown[]; has_more: boolean }>(
  limit: number,
  read: (paging: { page: number; per_page: number }) => Promise<Page>,
): Promise<Page> {
  const per_page = Math.min(maxPageSize, limit);
  const items: unknown[] = [];
  let last: Page;
  let page = 1;
  do {
    last = await read({ page: page++, per_page });
    items.push(...last.items);
  } while (last.has_more && items.length < limit);
  return { ...last, items: items.slice(0, limit) };
}
