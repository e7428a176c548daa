import { setTimeout as sleep } from 'node:timers/promises';
import { send, type Call, type Target } from '@bomtrail/api-client';
import type { Witness } from '../witness';

/** An answer that says what happened. */
export interface Known {
  status: number;
  body: Buffer;
  /** An earlier try was not answered: it may have been done all the same. */
  maybeBefore: boolean;
}

/** A client that asks again until it knows. */
export interface Caller {
  known(call: Call): Promise<Known>;
  /** The JSON body of a 200, else undefined. */
  json<Body>(call: Call): Promise<Body | undefined>;
}

/**
 * Longer than any pause of a process: a client that gives up while its request waits in a paused process
 * must expect it to be carried out after later ones.
 */
const answerMs = 100_000;
const patienceMs = 300_000;
const againMs = 250;

export function createCaller(target: Target, witness: Witness): Caller {
  async function attempt(call: Call): Promise<Omit<Known, 'maybeBefore'> | string> {
    try {
      const timed: typeof fetch = (url, init) =>
        fetch(url, { ...init, signal: AbortSignal.timeout(answerMs) });
      const response = await send({ ...target, fetch: timed }, call);
      const body = Buffer.from(await response.arrayBuffer());
      if (response.status === 503 && response.headers.get('retry-after') === null)
        witness.differs('failed', `${call.path}: a 503 that does not say when to come again`);
      return response.status === 503 ? '503' : { status: response.status, body };
    } catch (error) {
      return (error as Error).name === 'TimeoutError' ? 'no answer' : 'connection lost';
    }
  }

  async function known(call: Call): Promise<Known> {
    const what = `${call.method ?? 'GET'} ${call.path}`;
    const begun = Date.now();
    for (let maybeBefore = false; ; maybeBefore = true) {
      const answer = await attempt(call);
      if (typeof answer !== 'string' && answer.status < 500) return { ...answer, maybeBefore };
      const reason = typeof answer === 'string' ? answer : String(answer.status);
      if (typeof answer !== 'string')
        witness.differs('failed', `${what}: ${answer.status} ${answer.body.toString()}`);
      if (Date.now() - begun > patienceMs)
        throw new Error(`${what} was not answered for ${patienceMs / 1000} s: ${reason}`);
      witness.repeated(reason);
      await sleep(againMs);
    }
  }

  return {
    known,
    async json<Body>(call: Call) {
      const { status, body } = await known(call);
      return status === 200 ? (JSON.parse(body.toString()) as Body) : undefined;
    },
  };
}
