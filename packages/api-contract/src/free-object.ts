/**
 * Nesting depth of a JSON value: 1 for an object or array of plain values. Stops counting above
 * `limit`.
 */
export function depthOf(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (limit < 1) return 1;
  const depths = Object.values(value).map((part) => depthOf(part, limit - 1));
  return 1 + depths.reduce((deepest, depth) => Math.max(deepest, depth), 0);
}

/**
 * A copy of a JSON value without `__proto__` keys, which copying by assignment would take for the
 * prototype. The value must be of bounded depth.
 */
export function copyWithoutProto(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyWithoutProto);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== '__proto__')
      .map(([key, part]) => [key, copyWithoutProto(part)]),
  );
}
