/** They say when feeds were read, which goes on meanwhile. */
const passing: ReadonlySet<string> = new Set(['advisory_data']);

/**
 * Where an answer no longer says what an earlier one said; a later release may add fields.
 *
 * @returns a line for each place
 */
export function lostFields(before: unknown, after: unknown, at = ''): string[] {
  if (Array.isArray(before)) {
    if (!Array.isArray(after) || after.length !== before.length)
      return [`${at}: ${before.length} elements, now ${brief(after)}`];
    return before.flatMap((one, index) => lostFields(one, after[index], `${at}[${index}]`));
  }
  if (typeof before === 'object' && before !== null) {
    if (typeof after !== 'object' || after === null) return [`${at}: now ${brief(after)}`];
    const fields = new Map(Object.entries(after));
    return Object.entries(before).flatMap(([name, value]) =>
      passing.has(name) ? [] : lostFields(value, fields.get(name), `${at}.${name}`),
    );
  }
  return Object.is(before, after) ? [] : [`${at}: ${brief(before)}, now ${brief(after)}`];
}

function brief(value: unknown): string {
  if (Array.isArray(value)) return `${value.length} elements`;
  return (JSON.stringify(value) ?? 'missing').slice(0, 80);
}
