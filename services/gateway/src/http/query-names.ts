/**
 * The names of all query parameters of a contract.
 *
 * @param document an OpenAPI document
 */
export function queryNames(document: object): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { name, in: place } = value as { name?: unknown; in?: unknown };
    if (place === 'query' && typeof name === 'string') names.add(name);
    for (const part of Object.values(value)) visit(part);
  };
  visit(document);
  return names;
}
