/** Characters that turn the direction of what follows them: embeddings, overrides and isolates (UAX #9). */
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text that others wrote, with a sign that can be seen for each character that turns the direction. Left in a name,
 * one makes the version beside it read backwards, and moves what is said of it to another place; left out, the name
 * reads like another one. No element holds them in: a text can end the isolation that it stands in.
 */
export function visibleText(text: string): string {
  return text.replace(turning, '\ufffd');
}

/** The same for all text among the children of an element. */
export function visibleChildren(children: unknown): unknown {
  if (typeof children === 'string') return visibleText(children);
  return Array.isArray(children) ? children.map(visibleChildren) : children;
}
