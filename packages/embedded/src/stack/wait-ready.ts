import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;

/** Polls `GET <url>` until it answers 200; false when it did not within `withinMs`, or `isOver` says so. */
export async function waitReady(options: {
  url: string;
  withinMs: number;
  isOver: () => boolean;
}): Promise<boolean> {
  const deadline = Date.now() + options.withinMs;
  while (Date.now() < deadline && !options.isOver()) {
    if (await answers(options.url)) return true;
    await delay(POLL_MS);
  }
  return false;
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.status === 200;
  } catch {
    return false;
  }
}
