import { orderDpkgPart } from '../dpkg/order-part';
import { type Ordering, comparing } from '../ordering';

interface OpamVersion {
  upstream: string;
  revision: string;
}

/** Names (`base`, `dev`, `transition`) stand for no release; `v0.16.0` is as published. */
const VERSION = /^v?[0-9][0-9A-Za-z.+~_-]*$/;

/**
 * opam: opam.ocaml.org, manual, "Version ordering": Debian's order without epochs; what follows the
 * last hyphen counts only where the rest is equal, a missing one is the lowest. A leading `v` is a
 * letter like any other, so `v0.9` follows `10`, as opam itself has it.
 */
export const compareOpam = comparing(parseOpam, orderOpam);

function parseOpam(text: string): OpamVersion | null {
  const version = text.trim();
  if (!VERSION.test(version)) return null;
  const hyphen = version.lastIndexOf('-');
  if (hyphen === -1) return { upstream: version, revision: '' };
  return { upstream: version.slice(0, hyphen), revision: version.slice(hyphen + 1) };
}

function orderOpam(a: OpamVersion, b: OpamVersion): Ordering {
  return orderDpkgPart(a.upstream, b.upstream) || orderDpkgPart(a.revision, b.revision);
}
