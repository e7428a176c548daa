import { endOfDigits, isDigit, isLetter } from '../characters';
import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';

interface DebianVersion {
  epoch: Numeral;
  upstream: string;
  revision: string;
}

const VERSION = /^(?:([0-9]+):)?([0-9][0-9A-Za-z.+~:-]*)$/;

/**
 * Debian and Ubuntu: Debian Policy 5.6.12, `[epoch:]upstream[-revision]` (deb-version(7)): pieces
 * without and with digits in turn; `~` before the end, letters before other characters; a missing
 * epoch or revision counts as 0. An upstream part that does not begin with a digit is unreadable.
 */
export const compareDebian = comparing(parseDebian, orderDebian);

function parseDebian(text: string): DebianVersion | null {
  const match = VERSION.exec(text.trim());
  if (match === null) return null;
  const [, epoch = '0', rest = ''] = match;
  const hyphen = rest.lastIndexOf('-');
  const upstream = hyphen === -1 ? rest : rest.slice(0, hyphen);
  const revision = hyphen === -1 ? '0' : rest.slice(hyphen + 1);
  const colonLeft = match[1] === undefined && rest.includes(':');
  if (colonLeft || upstream === '' || revision === '' || revision.includes(':')) return null;
  return { epoch: readNumeral(epoch), upstream, revision };
}

function orderDebian(a: DebianVersion, b: DebianVersion): Ordering {
  return (
    order(a.epoch, b.epoch) ||
    orderPart(a.upstream, b.upstream) ||
    orderPart(a.revision, b.revision)
  );
}

function orderPart(a: string, b: string): Ordering {
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
