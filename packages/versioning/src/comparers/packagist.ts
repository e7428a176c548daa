import { endOfDigits, endOfLetters, isDigit } from '../characters';
import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';

/** A number has rank `NUMBER`; a word has its own and the value 0. */
interface Token {
  rank: number;
  value: Numeral;
}

/** Stability words from `dev` to `patch`; between `rc` and numbers stands the end of the version. */
const WORDS: Readonly<Record<string, number>> = {
  dev: 0,
  alpha: 1,
  a: 1,
  beta: 2,
  b: 2,
  rc: 3,
  patch: 6,
  pl: 6,
  p: 6,
  post: 6,
};
/** What Composer leaves out of a version's normal form. */
const STABLE = /[._-]?stable(?:[.-]?[0-9]+)*$/;
const END: Token = { rank: 4, value: 0 };
const NUMBER = 5;

/** Numbers at the beginning of Composer's normal form. */
const NUMBERS = 4;
const ZERO: Token = { rank: NUMBER, value: 0 };

/**
 * Packagist: the order of PHP's `version_compare` (php.net/version_compare) over the normal form that
 * Composer compares (getcomposer.org, "Versions and constraints"; composer/semver, `VersionParser`):
 * four numbers, of which missing ones are 0, then words in any case; tokens are split at `.`, `-`, `_`
 * and where digits meet letters; `dev` < alpha < beta < RC < nothing < number < patch. Build metadata
 * after `+` and `-stable` at the end are ignored. Branches (`dev-main`, `1.x-dev`) and words that
 * Composer refuses (`preview`, `test`) are unreadable.
 */
export const comparePackagist = comparing(parsePackagist, orderPackagist);

function parsePackagist(text: string): Token[] | null {
  const version = withoutBuild(text.trim()).toLowerCase().replace(STABLE, '');
  const tokens: Token[] = [];
  let at = version[0] === 'v' ? 1 : 0;
  if (!isDigit(version.charCodeAt(at))) return null;
  while (at < version.length) {
    const code = version.charCodeAt(at);
    const end = isDigit(code) ? endOfDigits(version, at) : endOfLetters(version, at);
    if (end === at) return null;
    const token = readToken(version.slice(at, end));
    if (token === null) return null;
    tokens.push(token);
    at = isSeparator(version[end]) ? end + 1 : end;
  }
  return inNormalForm(tokens);
}

function inNormalForm(tokens: readonly Token[]): Token[] {
  const word = tokens.findIndex(({ rank }) => rank !== NUMBER);
  const numbers = word === -1 ? tokens.length : word;
  const missing = Array.from({ length: Math.max(0, NUMBERS - numbers) }, () => ZERO);
  return [...tokens.slice(0, numbers), ...missing, ...tokens.slice(numbers)];
}

function withoutBuild(text: string): string {
  const plus = text.indexOf('+');
  return plus === -1 ? text : text.slice(0, plus);
}

function isSeparator(character: string | undefined): boolean {
  return character === '.' || character === '-' || character === '_';
}

function readToken(piece: string): Token | null {
  if (isDigit(piece.charCodeAt(0))) return { rank: NUMBER, value: readNumeral(piece) };
  const rank = Object.hasOwn(WORDS, piece) ? WORDS[piece] : undefined;
  return rank === undefined ? null : { rank, value: 0 };
}

function orderPackagist(a: readonly Token[], b: readonly Token[]): Ordering {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a[i] ?? END;
    const right = b[i] ?? END;
    const result = order(left.rank, right.rank) || order(left.value, right.value);
    if (result !== 0) return result;
  }
  return 0;
}
