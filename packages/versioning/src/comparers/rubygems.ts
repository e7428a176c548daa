import { endOfDigits, endOfLetters, isDigit } from '../characters';
import {
  type Numeral,
  type Ordering,
  comparing,
  order,
  orderFilled,
  readNumeral,
} from '../ordering';

type Segment = Numeral | string;

/** What RubyGems accepts (`Gem::Version`, "VERSION_PATTERN"). */
const VERSION = /^[0-9]+(?:\.[0-9a-zA-Z]+)*(?:-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * RubyGems: the documentation of `Gem::Version` (guides.rubygems.org, docs.ruby-lang.org): segments
 * split where digits and letters meet, `-` stands for `.pre.`, a letter segment precedes every
 * number (so it makes a prerelease), trailing zeros are equal to nothing, also before the first
 * letter segment.
 */
export const compareRubygems = comparing(parseRubygems, orderRubygems);

function parseRubygems(text: string): Segment[] | null {
  const trimmed = text.trim();
  if (!VERSION.test(trimmed)) return null;
  const segments = splitSegments(trimmed.replaceAll('-', '.pre.'));
  const firstText = segments.findIndex((segment) => typeof segment === 'string');
  if (firstText === -1) return segments;
  return [...withoutTrailingZeros(segments.slice(0, firstText)), ...segments.slice(firstText)];
}

function splitSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  while (at < text.length) {
    if (text[at] === '.') {
      at++;
      continue;
    }
    const numeric = isDigit(text.charCodeAt(at));
    const end = numeric ? endOfDigits(text, at) : endOfLetters(text, at);
    const piece = text.slice(at, end);
    segments.push(numeric ? readNumeral(piece) : piece);
    at = end;
  }
  return segments;
}

function withoutTrailingZeros(segments: Segment[]): Segment[] {
  let end = segments.length;
  while (end > 0 && segments[end - 1] === 0) end--;
  return segments.slice(0, end);
}

function orderRubygems(a: readonly Segment[], b: readonly Segment[]): Ordering {
  return orderFilled(a, b, { filler: 0, compare: orderSegment });
}

function orderSegment(a: Segment, b: Segment): Ordering {
  const leftIsText = typeof a === 'string';
  if (leftIsText !== (typeof b === 'string')) return leftIsText ? -1 : 1;
  return order(a, b);
}
