/** A longer text, or an object with more parts, is not sent back: the client knows it, and answers and logs stay small. */
const maxTextLength = 1024;
const maxParts = 50;
const maxDepth = 4;

/**
 * The `input` of a problem: what the client sent at this place, null where that is nothing.
 *
 * @param raw the whole part of the request
 * @param place keys and indexes from there
 * @returns nothing where the value is too large to send back
 */
export function inputOf(raw: unknown, place: string[]): { input?: unknown } {
  const sent = place.reduce(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    raw,
  );
  const input = sent ?? null;
  return sizeOf(input, maxDepth) <= maxParts ? { input } : {};
}

/** Parts of a JSON value, `Infinity` when one of them is too long or too deep. */
function sizeOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length > maxTextLength ? Infinity : 1;
  if (typeof value !== 'object' || value === null) return 1;
  if (depth === 0) return Infinity;
  const parts = Object.entries(value);
  if (parts.length > maxParts) return Infinity;
  return parts.reduce((sum, [key, part]) => sum + sizeOf(key, 0) + sizeOf(part, depth - 1), 1);
}
