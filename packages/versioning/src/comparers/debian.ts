import { orderDpkgPart } from '../dpkg/order-part';
import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';

interface DebianVersion {
  epoch: Numeral;
  upstream: string;
  revision: string;
}

const VERSION = /^(?:([0-9]+):)?([0-9][0-9A-Za-z.+~:-]*)$/;

/**
 * Debian, Ubuntu and Echo (which rebuilds Debian's packages): Debian Policy 5.6.12,
 * `[epoch:]upstream[-revision]` (deb-version(7)): pieces without and with digits in turn; `~` before
 * the end, letters before other characters; a missing epoch or revision counts as 0. An upstream
 * part that does not begin with a digit is unreadable.
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
    orderDpkgPart(a.upstream, b.upstream) ||
    orderDpkgPart(a.revision, b.revision)
  );
}
