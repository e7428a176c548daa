import type { Compare, Ordering } from '../ordering';

/** One line `a < b`, `a = b` or `a > b`. */
export interface Fact {
  line: number;
  text: string;
  left: string;
  right: string;
  expected: Ordering;
}

export type Verdict =
  | { kind: 'right' }
  | { kind: 'unreadable'; versions: string[] }
  | { kind: 'wrong'; got: Ordering | null; gotReversed: Ordering | null };

const SIGNS: Readonly<Record<string, Ordering>> = { '<': -1, '=': 0, '>': 1 };

/**
 * Reads a file of facts, one a line; empty lines and those that begin with `#` or `//` say nothing.
 *
 * @throws Error when another line is no fact: a check must not pass by skipping what it should test.
 */
export function readFacts(text: string): Fact[] {
  const facts: Fact[] = [];
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || line.startsWith('//')) continue;
    const [left, sign, right, ...rest] = line.split(/\s+/);
    const expected = sign === undefined ? undefined : SIGNS[sign];
    if (left === undefined || right === undefined || expected === undefined || rest.length > 0) {
      throw new Error(`line ${index + 1} is not of the form "a < b": ${line}`);
    }
    facts.push({ line: index + 1, text: line, left, right, expected });
  }
  return facts;
}

/** Evaluates a fact both ways; unreadable names each version that has no order, not even to itself. */
export function judge(fact: Fact, compare: Compare): Verdict {
  const got = compare(fact.left, fact.right);
  const gotReversed = compare(fact.right, fact.left);
  if (got === fact.expected && gotReversed === reversed(fact.expected)) return { kind: 'right' };
  const versions = [fact.left, fact.right].filter((version) => compare(version, version) === null);
  if (got === null && gotReversed === null && versions.length > 0) {
    return { kind: 'unreadable', versions };
  }
  return { kind: 'wrong', got, gotReversed };
}

/** The answer that the same two versions must give the other way round. */
export function reversed(ordering: Ordering): Ordering {
  return ordering === 0 ? 0 : ordering === 1 ? -1 : 1;
}
