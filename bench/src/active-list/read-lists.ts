import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailure } from '../bench-failure';
import { inParallel } from '../load/in-parallel';

/** A question whose bytes were made before, and the answer that was found to be right. */
export interface PreparedQuery {
  path: string;
  read: () => Promise<Buffer>;
  answer: Buffer;
}

/** How long each answer took, by its place among the questions that were asked. */
export interface TimedRead {
  path: string;
  ms: number;
}

/** Each client asks again as soon as it is answered. */
export function readConcurrently(
  queries: readonly PreparedQuery[],
  load: { count: number; clients: number },
): Promise<TimedRead[]> {
  const all = Array.from({ length: load.count }, (_, n) => nth(queries, n));
  return inParallel(all, load.clients, readOne);
}

/**
 * Each client asks once in every second, at a moment by chance, as people do who do not know of one
 * another; whoever waits for an answer keeps no other question waiting.
 *
 * @param draw gives a number from 0 to below 1
 */
export async function readPaced(
  queries: readonly PreparedQuery[],
  load: { seconds: number; clients: number },
  by: { draw: () => number; signal: AbortSignal },
): Promise<TimedRead[]> {
  const { seconds, clients } = load;
  const moments = Array.from({ length: seconds * clients }, (_, n) => {
    return (Math.floor(n / clients) + by.draw()) * 1000;
  }).sort((a, b) => a - b);
  const begin = performance.now();
  const underWay: Promise<TimedRead | { failure: unknown }>[] = [];
  for (const [n, moment] of moments.entries()) {
    const wait = begin + moment - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: by.signal });
    underWay.push(readOne(nth(queries, n)).catch((failure: unknown) => ({ failure })));
  }
  return (await Promise.all(underWay)).map((asked) => {
    if ('failure' in asked) throw asked.failure;
    return asked;
  });
}

async function readOne({ path, read, answer }: PreparedQuery): Promise<TimedRead> {
  const begin = performance.now();
  const given = await read();
  const ms = performance.now() - begin;
  if (!given.equals(answer)) throw new BenchFailure(`wrong result: ${path}: another answer`);
  return { path, ms };
}

function nth(queries: readonly PreparedQuery[], n: number): PreparedQuery {
  const query = queries[n % queries.length];
  if (!query) throw new RangeError('no questions');
  return query;
}
