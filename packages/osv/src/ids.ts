/**
 * Orders advisory ids: CVE, then GHSA, then the others, each as text. Source: docs/rules.md VU5.
 */
export function compareIds(a: string, b: string): number {
  const byRank = rank(a) - rank(b);
  if (byRank !== 0) return byRank;
  return a < b ? -1 : Number(a > b);
}

export function isCve(id: string): boolean {
  return /^CVE-/i.test(id);
}

function rank(id: string): number {
  if (isCve(id)) return 0;
  return /^GHSA-/i.test(id) ? 1 : 2;
}
