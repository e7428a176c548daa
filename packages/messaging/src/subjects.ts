/** Drops subjects covered by another one of the list: a stream must not have overlapping subjects. */
export function withoutCovered(subjects: readonly string[]): string[] {
  const distinct = [...new Set(subjects)];
  return distinct.filter(
    (subject) => !distinct.some((other) => other !== subject && covers(other, subject)),
  );
}

/** True if every subject that matches `narrow` matches `wide`. */
export function covers(wide: string, narrow: string): boolean {
  const narrowTokens = narrow.split('.');
  const wideTokens = wide.split('.');
  for (const [at, token] of wideTokens.entries()) {
    const other = narrowTokens[at];
    if (other === undefined) return false;
    if (token === '>') return true;
    if (token !== other && (token !== '*' || other === '>')) return false;
  }
  return wideTokens.length === narrowTokens.length;
}
