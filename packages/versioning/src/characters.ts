/** True for the ASCII digits only: `\d` of other alphabets is no version number. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** True for A–Z and a–z. */
export function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** The first index at or after `from` that holds no digit; the text's length when there is none. */
export function endOfDigits(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  return end;
}

/** The first index at or after `from` that holds no letter; the text's length when there is none. */
export function endOfLetters(text: string, from: number): number {
  let end = from;
  while (end < text.length && isLetter(text.charCodeAt(end))) end++;
  return end;
}
