import { setTimeout as delay } from 'node:timers/promises';
import { serviceError } from '../exit-codes';
import { backoffMs, retryAfterMs } from './backoff';
import { countedBody, type SendProgress } from './counted-body';
import { networkFailure } from './network-failure';

const ordinaryMs = 60_000;
const uploadMs = 600_000;
const retriedStatuses = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** How long a call is repeated, counted from its first failure, in milliseconds. */
  forMs: number;
  /** Told of each failure that is followed by another attempt. */
  onRetry: (line: string) => void;
  progress?: SendProgress;
  fetch?: typeof fetch;
  sleep?: (ms: number) => Promise<unknown>;
  now?: () => number;
  random?: () => number;
}

/**
 * A `fetch` that repeats what failed in passing: no connection, 429, 502, 503, 504, with `Retry-After`
 * honoured. Answers are read whole, so that a connection that breaks amid one is repeated too.
 * A redirect is an error: it would carry the key to another address, or turn an upload into a read.
 *
 * The making of an API key is repeated only where the first attempt did nothing for sure. Where a DELETE
 * may have been done by an attempt whose answer was lost, 404 to the next one says that it was: 204.
 *
 * @throws CliError (service) when there was no answer to the last attempt
 */
export function retryingFetch(options: RetryOptions): typeof fetch {
  const now = options.now ?? Date.now;
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? ((ms: number) => delay(ms));

  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const once = init.method === 'POST' && url.pathname.endsWith('/api-keys');
    let giveUpAt: number | undefined;
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(options, url, init);
      const { response, failure } = outcome;
      if (response?.status === 404 && init.method === 'DELETE' && mayBeDone) {
        return new Response(null, { status: 204 });
      }
      if (response && !retriedStatuses.has(response.status)) return response;
      giveUpAt ??= now() + options.forMs;
      const serverDelayMs = retryAfterMs(response?.headers.get('retry-after') ?? null, now());
      const waitMs = backoffMs(attempt, serverDelayMs, random());
      const didNothing = failure?.beforeSending === true || response?.status === 429;
      mayBeDone ||= !didNothing;
      const mayRepeat =
        (!once || didNothing) && (failure?.isTransient ?? true) && now() + waitMs <= giveUpAt;
      if (!mayRepeat) {
        if (response) return response;
        const tries = attempt === 1 ? '' : ` (${attempt} attempts)`;
        throw serviceError(`${url.origin} does not answer${tries}: ${failure?.reason}.`);
      }
      const why = response ? `status ${response.status}` : failure?.reason;
      options.onRetry(
        `${url.origin}: ${why}; attempt ${attempt + 1} in ${(waitMs / 1000).toFixed(1)} s.`,
      );
      await sleep(waitMs);
    }
  };
}

interface Attempt {
  response?: Response;
  failure?: ReturnType<typeof networkFailure>;
}

async function tryOnce(options: RetryOptions, url: URL, init: RequestInit): Promise<Attempt> {
  try {
    return { response: await fetchOnce(options, url, init) };
  } catch (error) {
    const failure = networkFailure(error);
    if (!(error instanceof TypeError) && (error as Error).name !== 'TimeoutError') throw error;
    return { failure };
  }
}

async function fetchOnce(options: RetryOptions, url: URL, init: RequestInit): Promise<Response> {
  const upload = init.body instanceof FormData;
  const body = upload
    ? await countedBody(init.body as FormData, options.progress ?? (() => {}))
    : null;
  const answer = await (options.fetch ?? fetch)(url, {
    ...init,
    ...(body && {
      body: body.stream,
      duplex: 'half',
      headers: { ...(init.headers as Record<string, string>), ...body.headers },
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout((upload ? uploadMs : ordinaryMs) + requestedWaitMs(url)),
  } as RequestInit);
  if (answer.status >= 300 && answer.status < 400 && answer.headers.has('location')) {
    throw serviceError(
      `${url.origin} sends on to ${answer.headers.get('location')}: give that address as the URL if it is the right one.`,
    );
  }
  const content = await answer.arrayBuffer();
  const { status, statusText, headers } = answer;
  return new Response(content.byteLength === 0 ? null : content, { status, statusText, headers });
}

/** How long the server was asked to hold the answer back. */
function requestedWaitMs(url: URL): number {
  return Number(url.searchParams.get('wait') ?? 0) * 1000;
}
