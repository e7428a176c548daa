/** Characters that reorder or hide adjacent text: direction marks, zero-width joiners, tags. */
const invisible =
  /[\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]|\p{Noncharacter_Code_Point}/gu;
/** More combining marks on one letter would cover adjacent lines. */
const piledMarks = /(\p{M}{3})\p{M}+/gu;
const lineEndsAndControls = /[\s\p{Cc}\p{Zl}\p{Zp}]+/gu;

/**
 * Untrusted text as one readable line: without line ends, controls and characters that reorder or
 * hide text; invalid Unicode becomes U+FFFD. Not escaped for any channel.
 *
 * @param most maximum UTF-16 units, at least 1; longer text is truncated and ends with `…`
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
 * Truncates escaped text without cutting an escape or a character.
 *
 * @param most maximum UTF-16 units of the escaped text, at least 1; truncated text ends with `…`
 * @param escaped escapes one character (code point)
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
 * Prevents automatic links by an invisible word joiner in URLs, `www.` names and mail addresses;
 * `@scope/package` and `name@1.2.3` stay unchanged, because people copy them.
 */
export function withoutAutolinks(text: string): string {
  return text
    .replace(/:\/\//g, ':\u2060//')
    .replace(/\b(www)\./gi, '$1\u2060.')
    .replace(/\b(mailto|tel|data|javascript):/gi, '$1\u2060:')
    .replace(/(\S)@(?=[^\s@]*\.\p{L})/gu, '$1@\u2060');
}
