import { endOfDigits, isDigit, isLetter } from '../characters';
import { type Numeral, readNumeral } from '../ordering';

/** One dot-separated piece of a prerelease or of build metadata. */
export type Identifier = Numeral | string;

export interface SemverParts {
  /** The dotted numbers, as many as are written (at least one). */
  numbers: Numeral[];
  /** Empty when there is no prerelease. */
  prerelease: Identifier[];
  /** Empty when there is no build metadata. */
  build: Identifier[];
  /** The prerelease follows the last number without a hyphen, as in `1.2.3beta`. */
  attached: boolean;
}

/**
 * Reads Semantic Versioning 2.0.0 (semver.org, items 2, 9 and 10) with the liberties that published
 * versions take: a leading `v`, any number of dotted numbers, leading zeros, a prerelease without
 * its hyphen after at least two numbers (`1.21rc2`). Null for everything else, in particular for
 * ranges (`1.x`, `^1.0.0`), tags (`latest`) and abbreviated commit ids (`3fa85f6`).
 */
export function readSemver(text: string): SemverParts | null {
  const numbers: Numeral[] = [];
  const first = text.charCodeAt(0);
  let at = first === 118 || first === 86 ? 1 : 0;
  for (;;) {
    const end = endOfDigits(text, at);
    if (end === at) return null;
    numbers.push(readNumeral(text.slice(at, end)));
    at = end;
    if (text[at] !== '.') break;
    at++;
  }
  const plus = text.indexOf('+', at);
  const build = plus === -1 ? [] : readIdentifiers(text.slice(plus + 1));
  const rest = plus === -1 ? text.slice(at) : text.slice(at, plus);
  if (build === null) return null;
  if (rest === '') return { numbers, prerelease: [], build, attached: false };
  const attached = rest[0] !== '-';
  if (attached && (numbers.length < 2 || !isLetter(rest.charCodeAt(0)))) return null;
  const prerelease = readIdentifiers(attached ? rest : rest.slice(1));
  return prerelease === null ? null : { numbers, prerelease, build, attached };
}

function readIdentifiers(text: string): Identifier[] | null {
  const identifiers: Identifier[] = [];
  for (const piece of text.split('.')) {
    const identifier = readIdentifier(piece);
    if (identifier === null) return null;
    identifiers.push(identifier);
  }
  return identifiers;
}

function readIdentifier(piece: string): Identifier | null {
  if (piece === '') return null;
  let numeric = true;
  for (let i = 0; i < piece.length; i++) {
    const code = piece.charCodeAt(i);
    if (isDigit(code)) continue;
    if (code !== 45 && !isLetter(code)) return null;
    numeric = false;
  }
  return numeric ? readNumeral(piece) : piece;
}
