/**
 * Makes untrusted text safe to print on one line: control characters, line breaks, bidirectional characters
 * and what is no character (lone surrogates, U+FFFE, U+FFFF) become spaces.
 *
 * Commands of CI runners are broken by a space: `##[…]` (GitHub, anywhere in a line),
 * `##vso[…]` (Azure Pipelines), `##teamcity[…]` and `::…::` (GitHub, at the start of a line).
 */
export function cleanText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .replace(/#(?=#\w*\[)/g, '# ')
    .replace(/:(?=:)/g, ': ')
    .trim();
}

/**
 * Formats a value as indented JSON with a trailing line break. No line contains a command of a CI runner: `##[` is
 * written with an escaped `#`, and `::` always follows a quote.
 */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(/#(?=#\w*\[)/g, '\\u0023')}\n`;
}

/** Truncates text to so many characters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...cleanText(text)];
  return characters.length <= length
    ? characters.join('')
    : `${characters.slice(0, length - 1).join('')}…`;
}

/** The first characters of a text, by code points, as lengths count in the API. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : [...text].slice(0, length).join('');
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, what: string, many = `${what}s`): string {
  return `${count} ${count === 1 ? what : many}`;
}
