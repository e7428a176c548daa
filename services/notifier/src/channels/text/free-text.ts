/** Reorders, hides or swallows what stands beside it: marks of direction, joiners of width zero, tags. */
const invisible =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]|\p{Noncharacter_Code_Point}/gu;
/** More marks than this on one letter paint over the lines above and below. */
const piledMarks = /(\p{M}{3})\p{M}+/gu;
const lineEndsAndControls = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of somebody else as one line for people: without line ends, controls, and what reorders or hides
 * text; what is not valid Unicode becomes U+FFFD. Not escaped for any channel.
 *
 * @param most UTF-16 units that it may have, at least 1; of a longer text the end is cut and `…` stands for it
 */
export function oneService(text: string, most: number): string {
  const line = text
    .slice(0, 8 * most)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(invisible, '')
    .replace(piledMarks, '$1')
    .replace(lineEndsAndControls, ' ')
    .trim();
  return fitted(line, most, (character) => character);
}

/**
 * As much of a text, escaped, as fits: never half an escape and never half a character.
 *
 * @param most UTF-16 units of the escaped text, at least 1; where it was cut it ends with `…`
 * @param escaped of one character (code point)
 */
export function fitted(text: string, most: number, escaped: (character: string) => string): string {
  let whole = '';
  let cut = '';
  for (const character of text) {
    whole += escaped(character);
    if (whole.length > most) return `${cut}…`;
    if (whole.length < most) cut = whole;
  }
  return whole;
}

/**
 * Programs that show text make links of what looks like an address. A word joiner, which nobody sees,
 * takes that away from URLs, `www.` names and mail addresses; `@scope/package` and `name@1.2.3` stay as
 * they are, for people copy them.
 */
export function withoutAutolinks(text: string): string {
  return text
    .replace(/:\/\//g, ':\u2060//')
    .replace(/\b(www)\./gi, '$1\u2060.')
    .replace(/\b(mailto|tel|data|javascript):/gi, '$1\u2060:')
    .replace(/(\S)@(?=[^\s@]*\.\p{L})/gu, '$1@\u2060');
}
