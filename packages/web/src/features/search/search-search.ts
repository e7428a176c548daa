export interface SearchSearch {
  q?: string;
}

export function parseSearchSearch(search: Record<string, unknown>): SearchSearch {
  const q = search['q'];
  return typeof q === 'string' && q.trim() !== '' ? { q: q.trim().slice(0, 2048) } : {};
}
