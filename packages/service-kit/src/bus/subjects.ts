/** The subjects without those that another one of them takes, too: a stream refuses subjects that overlap. */
export function withoutCovered(subjects: readonly string[]): string[] {
  const distinct = [...new Set(subjects)];
  return distinct.filter(
    (subject) => !distinct.some((other) => other !== subject && covers(other, subject)),
  );
}

/** Does `wide` take every subject that `narrow` takes? */
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
