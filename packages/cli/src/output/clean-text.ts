/**
 * Text from outside as one line: control characters, line breaks and what turns the direction of
 * text become spaces. A package's name must neither move the cursor of a terminal nor begin a line
 * that a CI system reads as a command.
 */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** At most so many characters of it, with an ellipsis where some are missing. */
export function shortened(text: string, length: number): string {
  const characters = [...cleanText(text)];
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length - 1).join('')}…`;
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
