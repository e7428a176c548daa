import {
  MAX_VERSION_LENGTH,
  type Numeral,
  type Ordering,
  comparing,
  order,
  orderFilled,
  orderPrefixed,
  readNumeral,
} from '../ordering';
import { type LegacyPieces, readLegacy } from '../pypi/read-legacy';
import type { Identifier } from '../semver/read-semver';

interface Pep440Version {
  epoch: Numeral;
  release: Numeral[];
  /** `a` 0, `b` 1, `rc` 2, none 3; a developmental release of a final one precedes all: -1. */
  phase: number;
  phaseNumber: Numeral;
  /** -1: no post-release. */
  post: Numeral;
  /** `Infinity`: no developmental release. */
  dev: Numeral;
  /** Empty: no local version. */
  local: Identifier[];
}

type PypiVersion = { legacy: LegacyPieces } | { legacy: null; modern: Pep440Version };

const PHASES: Readonly<Record<string, number>> = {
  a: 0,
  alpha: 0,
  b: 1,
  beta: 1,
  c: 2,
  rc: 2,
  pre: 2,
  preview: 2,
};
const NO_PHASE = 3;
const ONLY_DEV = -1;

/** The grammar of PEP 440, appendix B. Each alternative starts differently: no deep backtracking. */
const VERSION =
  /^\s*v?(?:([0-9]+)!)?([0-9]+(?:\.[0-9]+)*)(?:[-_.]?(alpha|a|beta|b|preview|pre|c|rc)[-_.]?([0-9]+)?)?(?:-([0-9]+)|[-_.]?(post|rev|r)[-_.]?([0-9]+)?)?(?:[-_.]?(dev)[-_.]?([0-9]+)?)?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?\s*$/;

/**
 * PyPI: the version specifiers of packaging.python.org (PEP 440, "Summary of permitted suffixes and
 * relative ordering"), strictly ordered: a local version follows the same one without it.
 * Versions from before PEP 440 stand below all others, in the order that pip gave them (PEP 440,
 * "Handling of pre-PEP-440 versions"; see `readLegacy`): that place says nothing about their age, see
 * `isPlacedByConvention`.
 */
export const comparePypi = comparing(parsePypi, orderPypi);

/** True for a version that PEP 440 does not allow and that `comparePypi` reads nevertheless. */
export function isLegacyPypi(text: string): boolean {
  if (text.length > MAX_VERSION_LENGTH) return false;
  const version = parsePypi(text);
  return version !== null && version.legacy !== null;
}

function parsePypi(text: string): PypiVersion | null {
  const lower = text.toLowerCase();
  const modern = parsePep440(lower);
  if (modern !== null) return { legacy: null, modern };
  const legacy = readLegacy(lower.trim());
  return legacy === null ? null : { legacy };
}

function parsePep440(lower: string): Pep440Version | null {
  const match = VERSION.exec(lower);
  if (match === null) return null;
  const [, epoch = '0', release = '', pre, preNumber = '0', postAfterHyphen, post] = match;
  const [postNumber = '0', dev, devNumber = '0', local] = match.slice(7);
  const hasPost = postAfterHyphen !== undefined || post !== undefined;
  return {
    epoch: readNumeral(epoch),
    release: release.split('.').map(readNumeral),
    phase: pre !== undefined ? (PHASES[pre] ?? NO_PHASE) : dev && !hasPost ? ONLY_DEV : NO_PHASE,
    phaseNumber: readNumeral(preNumber),
    post: hasPost ? readNumeral(postAfterHyphen ?? postNumber) : -1,
    dev: dev === undefined ? Infinity : readNumeral(devNumber),
    local: local === undefined ? [] : local.split(/[-_.]/).map(readLocalPiece),
  };
}

function readLocalPiece(piece: string): Identifier {
  return /^[0-9]+$/.test(piece) ? readNumeral(piece) : piece;
}

function orderPypi(a: PypiVersion, b: PypiVersion): Ordering {
  if (a.legacy !== null) {
    return b.legacy === null ? -1 : orderPrefixed(a.legacy, b.legacy, order<string>);
  }
  return b.legacy === null ? orderPep440(a.modern, b.modern) : 1;
}

function orderPep440(a: Pep440Version, b: Pep440Version): Ordering {
  return (
    order(a.epoch, b.epoch) ||
    orderFilled(a.release, b.release, { filler: 0, compare: order<Numeral> }) ||
    order(a.phase, b.phase) ||
    order(a.phaseNumber, b.phaseNumber) ||
    order(a.post, b.post) ||
    order(a.dev, b.dev) ||
    orderLocal(a.local, b.local)
  );
}

/** PEP 440, "Local version identifiers": numbers after texts, a prefix before what extends it. */
function orderLocal(a: readonly Identifier[], b: readonly Identifier[]): Ordering {
  return orderPrefixed(a, b, orderLocalPiece);
}

function orderLocalPiece(a: Identifier, b: Identifier): Ordering {
  const leftIsText = typeof a === 'string';
  if (leftIsText !== (typeof b === 'string')) return leftIsText ? -1 : 1;
  return order(a, b);
}
