import type { Compare, Ordering } from '../ordering';

/** What was looked at, so that a test can say that it was not nothing. */
export interface Looked {
  /** Texts that the comparer reads. */
  readable: number;
  /** Pairs of readable texts that differ and are equal in order. */
  equalPairs: number;
}

/**
 * Holds a comparer to a total order over these texts, each pair and triple of them: it reads a text
 * always or never, turns round with its arguments, holds what is equal equal against every third
 * one, and is transitive.
 *
 * @throws Error that names the texts on which it breaks
 */
export function checkOrder(texts: readonly string[], compare: Compare): Looked {
  const readable = texts.filter((text) => compare(text, text) !== null);
  const unreadable = texts.filter((text) => compare(text, text) === null);
  for (const text of unreadable) {
    for (const other of texts) {
      const handles = [compare(text, other), compare(other, text)];
      if (handles.some((answer) => answer !== null)) fail('is read now and then', [text, other]);
    }
  }
  const rows = readable.map((a) => readable.map((b) => readPair(a, b, compare)));
  let equalPairs = 0;
  forEachPair(readable.length, (i, j) => {
    const pair = [readable[i] ?? '', readable[j] ?? ''];
    if (at(rows, i, j) + at(rows, j, i) !== 0) fail('does not turn round', pair);
    if (at(rows, i, j) === 0 && pair[0] !== pair[1]) equalPairs += i < j ? 1 : 0;
    for (let k = 0; k < readable.length; k++) {
      const triple = [...pair, readable[k] ?? ''];
      if (at(rows, i, j) === 0 && at(rows, i, k) !== at(rows, j, k)) {
        fail('is equal, but not against a third', triple);
      }
      if (at(rows, i, j) <= 0 && at(rows, j, k) <= 0 && at(rows, i, k) > 0) {
        fail('is not transitive', triple);
      }
    }
  });
  return { readable: readable.length, equalPairs };
}

function readPair(a: string, b: string, compare: Compare): Ordering {
  const answer = compare(a, b);
  if (answer === null) return fail('reads each, but not both', [a, b]);
  if (a === b && answer !== 0) return fail('is not equal to itself', [a]);
  return answer;
}

function forEachPair(size: number, look: (i: number, j: number) => void): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) look(i, j);
}

function at(rows: readonly (readonly Ordering[])[], i: number, j: number): Ordering {
  return rows[i]?.[j] ?? 0;
}

function fail(what: string, texts: readonly string[]): never {
  throw new Error(`${what}: ${texts.map((text) => JSON.stringify(text)).join(', ')}`);
}
