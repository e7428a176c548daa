/**
 * Text from outside as one line: control characters, line breaks and characters that change the
 * direction of text become spaces, so that a package's name cannot move the cursor of a terminal.
 *
 * What a CI runner reads as a command is broken by a space: `##[…]` (GitHub, anywhere in a line),
 * `##vso[…]` (Azure Pipelines), `##teamcity[…]` and `::…::` (GitHub, at the start of a line).
 */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/#(?=#\w*\[)/g, '# ')
    .replace(/:(?=:)/g, ': ')
    .trim();
}

/**
 * A value as indented JSON with a line break at its end. Parsed again it is the same value, but no line
 * of it holds a command of a CI runner: `##[` is written with an escaped `#`, and `::` is always behind a quote.
 */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/#(?=#\w*\[)/g, '\\u0023')}\n`;
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
