/**
 * Splits items into pages of bounded count and size, in order. A single item may exceed the size.
 */
export function pagesOf<Item>(
  items: Iterable<Item>,
  limits: { items: number; size?: number; sizeOf?: (item: Item) => number },
): Item[][] {
  const { items: maxItems, size: maxSize = Infinity, sizeOf = () => 0 } = limits;
  const pages: Item[][] = [];
  let page: Item[] = [];
  let size = 0;
  for (const item of items) {
    const itemSize = sizeOf(item);
    if (page.length > 0 && (page.length >= maxItems || size + itemSize > maxSize)) {
      pages.push(page);
      page = [];
      size = 0;
    }
    page.push(item);
    size += itemSize;
  }
  if (page.length > 0) pages.push(page);
  return pages;
}
