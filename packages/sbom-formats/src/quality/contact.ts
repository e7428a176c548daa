/** Whether a text contains an email address or a URL. Linear in any text. */
export function hasContact(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const at = text.indexOf('@');
  return text.includes('://') || (at > 0 && at < text.length - 1);
}

/** Whether it is a text that says something. */
export function isStated(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const words = text.trim();
  return words.length > LONGEST || !SAYS_NOTHING.has(words.toUpperCase());
}

/** Longer texts need no comparison. */
const LONGEST = 'NOASSERTION'.length;
const SAYS_NOTHING: ReadonlySet<string> = new Set(['', 'NOASSERTION', 'NONE']);
