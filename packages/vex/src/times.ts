/** RFC 3339, section 5.6, as JSON schema's `date-time`; seconds may be missing a fraction, `T` may be a space. */
const DATE_TIME = /^\d{4}-\d\d-\d\d[tT ]\d\d:\d\d:\d\d(\.\d+)?(z|Z|[+-]\d\d:?\d\d)$/;

/** A timestamp in UTC with milliseconds; null if absent or not one. */
export function utc(text: string | undefined): string | null {
  if (text === undefined || !DATE_TIME.test(text)) return null;
  const time = Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}

export function isDateTime(text: string): boolean {
  return utc(text) !== null;
}

/** Null only if both are. */
export function laterOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
