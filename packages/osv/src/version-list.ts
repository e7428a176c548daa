import type { Compare } from './range';
import { comparedText } from './version-text';

/**
 * Whether a list contains a version that the ecosystem's order calls equal (rule M9).
 *
 * Lists may have thousands of versions and parsing is expensive, so only those with the same
 * numbers are compared.
 */
export function listsEqual(
  versions: readonly string[],
  version: string,
  by: { ecosystem: string; compare: Compare },
): boolean {
  const { ecosystem, compare } = by;
  const numbers = numbersOf(comparedText(ecosystem, version));
  return versions.some((listed) => {
    const others = numbersOf(comparedText(ecosystem, listed));
    const mayBeEqual = numbers === null || others === null || numbers === others;
    return mayBeEqual && compare(listed, version) === 0;
  });
}

const DIGIT_0 = 48;
const DIGIT_9 = 57;
const PLUS = 43;
const COLON = 58;
const TILDE = 126;

/**
 * The numbers of a version in order, without zeros and leading zeros. In every order, equal
 * versions have the same ones: they differ in padding zeros, separators, case and words only. Null
 * when more may be ignored: build metadata (`+`), a hash (`~`), an epoch (`:`).
 */
export function numbersOf(version: string): string | null {
  let numbers = '';
  let start = -1;
  for (let at = 0; at < version.length; at++) {
    const code = version.charCodeAt(at);
    if (code >= DIGIT_0 && code <= DIGIT_9) {
      // A leading zero of a number is ignored.
      if (start < 0 && code !== DIGIT_0) start = at;
      continue;
    }
    if (code === PLUS || code === TILDE || code === COLON) return null;
    if (start >= 0) numbers += `${version.slice(start, at)}.`;
    start = -1;
  }
  return start < 0 ? numbers : `${numbers}${version.slice(start)}.`;
}
