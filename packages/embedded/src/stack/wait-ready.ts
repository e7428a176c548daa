import { setTimeout as delay } from 'node:timers/promises';
import { reasonOf } from '@bomtrail/terminal';

const POLL_MS = 50;
const LONGEST_ANSWER = 500;

/**
 * Polls `GET <url>` until it responds with 200; resolves to undefined. After `withinMs`, or when `isOver` is true,
 * resolves to the last result: status and body, or the error.
 */
export async function waitReady(options: {
  url: string;
  withinMs: number;
  isOver: () => boolean;
}): Promise<string | undefined> {
  const deadline = Date.now() + options.withinMs;
  let last: string | undefined = 'it was never asked';
  while (Date.now() < deadline && !options.isOver()) {
    last = await whyNotReady(options.url);
    if (last === undefined) return undefined;
    await delay(POLL_MS);
  }
  return last;
}

async function whyNotReady(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    const body = await response.text();
    return response.status === 200
      ? undefined
      : `${response.status} ${body.slice(0, LONGEST_ANSWER)}`;
  } catch (error) {
    // The message of `fetch` has no details.
    return reasonOf((error as Partial<Error>).cause ?? error);
  }
}
