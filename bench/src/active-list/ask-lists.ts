import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailure } from '../bench-failure';
import { inParallel } from '../load/in-parallel';

/** A question whose bytes were made before, and the answer that was found to be right. */
export interface PreparedQuestion {
  path: string;
  ask: () => Promise<Buffer>;
  answer: Buffer;
}

/** How long each answer took, by its place among the questions that were asked. */
export interface Asked {
  path: string;
  ms: number;
}

/** Each client asks again as soon as it is answered. */
export function askAtOnce(
  questions: readonly PreparedQuestion[],
  load: { count: number; clients: number },
): Promise<Asked[]> {
  const all = Array.from({ length: load.count }, (_, n) => nth(questions, n));
  return inParallel(all, load.clients, askOne);
}

/**
 * Each client asks once in every second, at a moment by chance, as people do who do not know of one
 * another; whoever waits for an answer keeps no other question waiting.
 *
 * @param draw gives a number from 0 to below 1
 */
export async function askPaced(
  questions: readonly PreparedQuestion[],
  load: { seconds: number; clients: number },
  by: { draw: () => number; signal: AbortSignal },
): Promise<Asked[]> {
  const { seconds, clients } = load;
  const moments = Array.from({ length: seconds * clients }, (_, n) => {
    return (Math.floor(n / clients) + by.draw()) * 1000;
  }).sort((a, b) => a - b);
  const begin = performance.now();
  const underWay: Promise<Asked | { failure: unknown }>[] = [];
  for (const [n, moment] of moments.entries()) {
    const wait = begin + moment - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: by.signal });
    underWay.push(askOne(nth(questions, n)).catch((failure: unknown) => ({ failure })));
  }
  return (await Promise.all(underWay)).map((asked) => {
    if ('failure' in asked) throw asked.failure;
    return asked;
  });
}

async function askOne({ path, ask, answer }: PreparedQuestion): Promise<Asked> {
  const begin = performance.now();
  const given = await ask();
  const ms = performance.now() - begin;
  if (!given.equals(answer)) throw new BenchFailure(`wrong result: ${path}: another answer`);
  return { path, ms };
}

function nth(questions: readonly PreparedQuestion[], n: number): PreparedQuestion {
  const question = questions[n % questions.length];
  if (!question) throw new RangeError('no questions');
  return question;
}
