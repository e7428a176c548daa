import { endOfDigits, isDigit } from '../characters';
import {
  type Numeral,
  type Ordering,
  comparing,
  order,
  orderFilled,
  readNumeral,
} from '../ordering';

type Token =
  | { kind: 'text'; rank: number; text: string; between: boolean }
  | { kind: 'number'; dotted: boolean; value: Numeral };

/** "Known" qualifiers in their order; every other one follows `sp`, by alphabet. */
const RANKS: Readonly<Record<string, number>> = {
  alpha: 0,
  beta: 1,
  milestone: 2,
  rc: 3,
  cr: 3,
  snapshot: 4,
  '': 5,
  ga: 5,
  final: 5,
  release: 5,
  sp: 6,
};
const RELEASE_RANK = 5;
const OTHER_RANK = 7;
const DOT = 46;
const RELEASE: Token = { kind: 'text', rank: RELEASE_RANK, text: '', between: false };
/** Short forms, when a number follows directly. */
const SHORT: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };

/** White space, ranges (`[1.0,2.0)`) and properties that nothing replaced (`${revision}`). */
const NO_VERSION = /[\s()[\]{},$?*<>=]/;
/** What a build replaces by whatever is newest (Maven, "Dependency version requirement"). */
const META_VERSION = /^(?:latest|release)$/;
/** A commit id stands in no order. */
const COMMIT_ID = /^(?=.*[a-f])[0-9a-f]{40}$/;

/**
 * Maven: POM Reference, "Version Order Specification" (maven.apache.org/pom.html): tokens between
 * dots, hyphens and where digits meet other characters; "null" tokens at the end and before each
 * hyphen drop out; a qualifier precedes a number after a hyphen, that before one after a dot.
 * A qualifier counts alike after a dot and after a hyphen, so that the order is a total one.
 */
export const compareMaven = comparing(parseMaven, orderMaven);

function parseMaven(text: string): Token[] | null {
  const lower = text.trim().toLowerCase();
  if (lower === '' || NO_VERSION.test(lower)) return null;
  if (META_VERSION.test(lower) || COMMIT_ID.test(lower)) return null;
  const tokens: Token[] = [];
  let dotted = true;
  let at = 0;
  while (at <= lower.length) {
    const end = endOfToken(lower, at);
    pushToken(tokens, readToken(lower.slice(at, end), { dotted, next: lower.charCodeAt(end) }));
    if (end >= lower.length) break;
    const separated = lower[end] === '.' || lower[end] === '-';
    dotted = lower[end] === '.';
    at = separated ? end + 1 : end;
  }
  dropTrailingNulls(tokens);
  return tokens;
}

function endOfToken(text: string, from: number): number {
  if (isDigit(text.charCodeAt(from))) return endOfDigits(text, from);
  let end = from;
  while (end < text.length && text[end] !== '.' && text[end] !== '-') {
    if (isDigit(text.charCodeAt(end))) break;
    end++;
  }
  return end;
}

function readToken(piece: string, context: { dotted: boolean; next: number }): Token {
  if (piece === '') return { kind: 'number', dotted: context.dotted, value: 0 };
  if (isDigit(piece.charCodeAt(0))) {
    return { kind: 'number', dotted: context.dotted, value: readNumeral(piece) };
  }
  const text = (isDigit(context.next) ? SHORT[piece] : undefined) ?? piece;
  const rank = Object.hasOwn(RANKS, text) ? RANKS[text] : undefined;
  if (rank !== undefined) return { kind: 'text', rank, text: '', between: false };
  return { kind: 'text', rank: OTHER_RANK, text, between: context.dotted && context.next === DOT };
}

/** A qualifier always counts as if after a hyphen, and before a hyphen nulls drop out. */
function pushToken(tokens: Token[], token: Token): void {
  if (token.kind === 'text' || !token.dotted) dropTrailingNulls(tokens);
  tokens.push(token);
}

function dropTrailingNulls(tokens: Token[]): void {
  let last = tokens.at(-1);
  while (last !== undefined && isNull(last)) {
    tokens.pop();
    last = tokens.at(-1);
  }
}

function isNull(token: Token): boolean {
  return token.kind === 'number' ? token.value === 0 : token.rank === RELEASE_RANK;
}

function orderMaven(a: readonly Token[], b: readonly Token[]): Ordering {
  return orderFilled(a, b, { filler: RELEASE, compare: orderToken });
}

function orderToken(a: Token, b: Token): Ordering {
  if (a.kind === 'text') {
    return b.kind === 'text' ? orderTexts(a, b) : -1;
  }
  if (b.kind === 'text') return 1;
  if (a.dotted !== b.dotted) return a.dotted ? 1 : -1;
  return order(a.value, b.value);
}

/** Of two equal qualifiers that Maven does not know, the one between dots stands first. */
function orderTexts(a: Token & { kind: 'text' }, b: Token & { kind: 'text' }): Ordering {
  const result = order(a.rank, b.rank) || order(a.text, b.text);
  return result !== 0 || a.between === b.between ? result : a.between ? -1 : 1;
}
