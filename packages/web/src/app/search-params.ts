/** Search parameters of an address as plain text; a repeated one counts once, with its last value. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

/** The other way round, without what is empty; commas stay readable. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  const query = new URLSearchParams(given).toString().replaceAll('%2C', ',');
  return query ? `?${query}` : '';
}

/**
 * Of an address what `parse` takes. The router adds what it leaves out as it was written, so it has to be named:
 * `kev=yes` would narrow a view, to what is not exploited.
 */
export function takeOnly<T extends object>(
  parse: (search: Record<string, unknown>) => T,
): (search: Record<string, unknown>) => T {
  return (search) => {
    const left = Object.keys(search).map((name) => [name, undefined] as const);
    return { ...Object.fromEntries(left), ...parse(search) };
  };
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id that a parameter holds; undefined for anything else. */
export function idOf(parameter: unknown): string | undefined {
  const id = typeof parameter === 'string' ? parameter.trim() : '';
  return uuid.test(id) ? id : undefined;
}

/** The page of a list; the first one needs no parameter. */
export interface PageSearch {
  /** From 2. */
  page?: string;
}

/** Takes a page that is valid; anything else is the first one. */
export function parsePageSearch({ page }: Record<string, unknown>): PageSearch {
  const given = String(page ?? '');
  return /^(?!1$)[1-9]\d{0,6}$/.test(given) ? { page: given } : {};
}

/** The words of a comma-separated parameter that are allowed, each once, in the order of `allowed`. */
export function wordsOf<T extends string>(
  parameter: string | undefined,
  allowed: readonly T[],
): T[] {
  const given = new Set((parameter ?? '').toLowerCase().split(','));
  return allowed.filter((word) => given.has(word));
}
