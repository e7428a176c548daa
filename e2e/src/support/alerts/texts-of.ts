/** All texts of a message, wherever they stand in it; or those of its text objects of one kind. */
export function textsOf(value: unknown, where?: (of: { type?: unknown }) => boolean): string[] {
  if (typeof value === 'string') return where === undefined ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (where?.(value) === true) return textsOf(value);
  return Object.values(value).flatMap((part) => textsOf(part, where));
}
