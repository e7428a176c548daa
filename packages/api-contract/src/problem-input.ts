/** Longer texts and larger objects are not sent back, to keep responses and logs small. */
const maxTextLength = 1024;
const maxParts = 50;
const maxDepth = 4;

/**
 * The `input` of a problem: the value at this path, null if absent.
 *
 * @param raw the whole part of the request
 * @param path keys and indexes
 * @returns an empty object if the value is too large to send back
 */
export function inputOf(raw: unknown, path: string[]): { input?: unknown } {
  const sent = path.reduce(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    raw,
  );
  const input = sent ?? null;
  return sizeOf(input, maxDepth) <= maxParts ? { input } : {};
}

/** Number of parts of a JSON value; `Infinity` if a part is too long or too deep. */
function sizeOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length > maxTextLength ? Infinity : 1;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === 0) return Infinity;
  const parts = Object.entries(value);
  if (parts.length > maxParts) return Infinity;
  return parts.reduce((sum, [key, part]) => sum + sizeOf(key, 0) + sizeOf(part, depth - 1), 1);
}
