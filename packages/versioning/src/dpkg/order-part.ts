import { endOfDigits, isDigit, isLetter } from '../characters';
import { type Ordering, order, readNumeral } from '../ordering';

/**
 * deb-version(7), "Sorting algorithm" (Debian Policy 5.6.12): pieces without and with digits in
 * turn; `~` before the end, letters before other characters, digits by their value.
 */
export function orderDpkgPart(a: string, b: string): Ordering {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    while (weightAt(a, i) !== 0 || weightAt(b, j) !== 0) {
      const result = order(weightAt(a, i), weightAt(b, j));
      if (result !== 0) return result;
      i++;
      j++;
    }
    const endOfA = endOfDigits(a, i);
    const endOfB = endOfDigits(b, j);
    const result = order(readNumeral(a.slice(i, endOfA)), readNumeral(b.slice(j, endOfB)));
    if (result !== 0) return result;
    i = endOfA;
    j = endOfB;
  }
  return 0;
}

/** The end and digits weigh 0; `~` less, letters more, everything else more than letters. */
function weightAt(text: string, at: number): number {
  if (at >= text.length) return 0;
  const code = text.charCodeAt(at);
  if (isDigit(code)) return 0;
  if (code === 126) return -1;
  return isLetter(code) ? code : code + 256;
}
