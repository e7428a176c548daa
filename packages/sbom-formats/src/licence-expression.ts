/** SPDX specification, "NOASSERTION" and "NONE": no statement. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(['', 'NOASSERTION', 'NONE']);

/** SPDX licence expressions, annex D.4: OR binds weaker than AND. Like ids, it may be in lower case. */
const HAS_OR = /[\s)](?:OR|or)[\s(]/;

/** The text, or null when it makes no statement. */
export function statedLicence(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return SAYS_NOTHING.has(trimmed) ? null : trimmed;
}

/**
 * Joins licences that all apply with ` AND `, in order, without duplicates and with alternatives in
 * parentheses; null for none.
 */
export function joinLicences(licences: readonly string[]): string | null {
  const distinct = [...new Set(licences)];
  if (distinct.length <= 1) return distinct[0] ?? null;
  return distinct.map(asOperand).join(' AND ');
}

/** Joins licences of which one may be chosen with ` OR `, in order, without duplicates; null for none. */
export function joinAlternatives(licences: readonly string[]): string | null {
  return licences.length === 0 ? null : [...new Set(licences)].join(' OR ');
}

function asOperand(expression: string): string {
  return HAS_OR.test(expression) && !isEnclosed(expression) ? `(${expression})` : expression;
}

/** True for `(A OR B)`, false for `(A OR B) AND (C OR D)`. */
export function isEnclosed(expression: string): boolean {
  if (!expression.startsWith('(')) return false;
  let open = 0;
  for (let at = 0; at < expression.length; at += 1) {
    if (expression[at] === '(') open += 1;
    if (expression[at] === ')') open -= 1;
    if (open === 0) return at === expression.length - 1;
  }
  return false;
}
