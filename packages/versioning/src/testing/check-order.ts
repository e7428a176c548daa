import type { Compare, Ordering } from '../ordering';

/** What was checked, so that tests can require a minimum. */
export interface Looked {
  /** Readable texts. */
  readable: number;
  /** Pairs of different texts that are equal in order. */
  equalPairs: number;
}

/**
 * Checks that a comparer is a total order over the texts, by all pairs and triples: it reads a text
 * always or never, is antisymmetric and transitive, and treats equal texts alike.
 *
 * @throws Error with the failing texts
 */
export function checkOrder(texts: readonly string[], compare: Compare): Looked {
  const readable = texts.filter((text) => compare(text, text) !== null);
  const unreadable = texts.filter((text) => compare(text, text) === null);
  for (const text of unreadable) {
    for (const other of texts) {
      const orderings = [compare(text, other), compare(other, text)];
      if (orderings.some((ordering) => ordering !== null))
        fail('is read now and then', [text, other]);
    }
  }
  const matrix = readable.map((a) => readable.map((b) => readPair(a, b, compare)));
  let equalPairs = 0;
  forEachPair(readable.length, (i, j) => {
    const pair = [readable[i] ?? '', readable[j] ?? ''];
    if (at(matrix, i, j) + at(matrix, j, i) !== 0) fail('does not turn round', pair);
    if (at(matrix, i, j) === 0 && pair[0] !== pair[1]) equalPairs += i < j ? 1 : 0;
    for (let k = 0; k < readable.length; k++) {
      const triple = [...pair, readable[k] ?? ''];
      if (at(matrix, i, j) === 0 && at(matrix, i, k) !== at(matrix, j, k)) {
        fail('is equal, but not against a third', triple);
      }
      if (at(matrix, i, j) <= 0 && at(matrix, j, k) <= 0 && at(matrix, i, k) > 0) {
        fail('is not transitive', triple);
      }
    }
  });
  return { readable: readable.length, equalPairs };
}

function readPair(a: string, b: string, compare: Compare): Ordering {
  const ordering = compare(a, b);
  if (ordering === null) return fail('reads each, but not both', [a, b]);
  if (a === b && ordering !== 0) return fail('is not equal to itself', [a]);
  return ordering;
}

function forEachPair(size: number, visit: (i: number, j: number) => void): void {
  for (let i = 0; i < size; i++) for (let j = 0; j < size; j++) visit(i, j);
}

function at(matrix: readonly (readonly Ordering[])[], i: number, j: number): Ordering {
  return matrix[i]?.[j] ?? 0;
}

function fail(what: string, texts: readonly string[]): never {
  throw new Error(`${what}: ${texts.map((text) => JSON.stringify(text)).join(', ')}`);
}
