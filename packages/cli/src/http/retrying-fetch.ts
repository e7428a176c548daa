import { setTimeout as delay } from 'node:timers/promises';
import type { HttpRequest, HttpResponse, HttpSend } from '@bomtrail/api-client';
import { serviceError } from '../exit-codes';
import { backoffMs, retryAfterMs } from './backoff';
import { networkFailure } from './network-failure';
import { bufferedResponse, countedBody, type SendProgress, type Sending } from './sending';

const ordinaryMs = 60_000;
/**
 * Also the time in which an upload may wait for its turn, and in which the system may send what it was handed: up to
 * 4 MiB.
 */
const uploadSilenceMs = 300_000;
const retriedStatuses = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** How long to retry after the first failure, in milliseconds. The attempts themselves have limits of their own. */
  forMs: number;
  /** Called before each retry. */
  onRetry: (line: string) => void;
  progress?: SendProgress;
  send: Sending;
  sleep?: (ms: number) => Promise<unknown>;
  now?: () => number;
  random?: () => number;
}

/**
 * Creates a `fetch` that retries connection errors, 429, 502, 503 and 504, honouring `Retry-After`. Responses are read
 * completely, so that a connection that breaks meanwhile is retried. An attempt without an answer ends after a minute and
 * the requested `wait`; an upload after five minutes in which no byte of it was sent, however long it takes. Redirects
 * are errors: they would send the key to another address or turn an upload into a GET.
 *
 * Creating an API key is retried only if the first attempt certainly had no effect. A 404 for a retried DELETE becomes
 * 204, as an earlier attempt may have succeeded.
 *
 * @throws CliError (service) if the last attempt had no response
 */
export function retryingFetch(options: RetryOptions): HttpSend {
  const now = options.now ?? Date.now;
  const random = options.random ?? Math.random;
  const sleep = options.sleep ?? ((ms: number) => delay(ms));

  return async (url, init = {}) => {
    const once = init.method === 'POST' && url.pathname.endsWith('/api-keys');
    let giveUpAt: number | undefined;
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tryOnce(options, url, init);
      const { response, failure } = outcome;
      if (response?.status === 404 && init.method === 'DELETE' && mayBeDone) {
        return bufferedResponse(204, {});
      }
      if (response && !retriedStatuses.has(response.status)) return response;
      const failedAt = now();
      giveUpAt ??= failedAt + options.forMs;
      const serverDelayMs = retryAfterMs(response?.headers.get('retry-after') ?? null, failedAt);
      const isInTime = failedAt + backoffMs(attempt, serverDelayMs, 0) <= giveUpAt;
      const waitMs = backoffMs(attempt, serverDelayMs, random());
      const didNothing = failure?.beforeSending === true || response?.status === 429;
      mayBeDone ||= !didNothing;
      const mayRepeat = (!once || didNothing) && (failure?.isTransient ?? true) && isInTime;
      if (!mayRepeat) {
        if (response) return response;
        const tries = attempt === 1 ? '' : ` (${attempt} attempts)`;
        throw serviceError(`${url.origin} does not respond${tries}: ${failure?.reason}.`);
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
  response?: HttpResponse;
  failure?: ReturnType<typeof networkFailure>;
}

async function tryOnce(options: RetryOptions, url: URL, init: HttpRequest): Promise<Attempt> {
  try {
    return { response: await fetchOnce(options, url, init) };
  } catch (error) {
    const failure = networkFailure(error);
    if (!(error instanceof TypeError) && (error as Error).name !== 'TimeoutError') throw error;
    return { failure };
  }
}

async function fetchOnce(
  { send, progress = () => {} }: RetryOptions,
  url: URL,
  { method = 'GET', headers = {}, body }: HttpRequest,
): Promise<HttpResponse> {
  const upload = body instanceof Uint8Array;
  const silence = silenceLimit((upload ? uploadSilenceMs : ordinaryMs) + requestedWaitMs(url));
  const moved: SendProgress = (sent, total) => {
    silence.restart();
    progress(sent, total);
  };
  try {
    const response = await send(url, {
      method,
      headers: { ...headers, ...(upload && { 'content-length': String(body.length) }) },
      ...(upload ? { body: countedBody(body, moved) } : body && { body: body as string }),
      signal: silence.signal,
    });
    const location = response.headers.get('location');
    if (response.status >= 300 && response.status < 400 && location !== null) {
      throw serviceError(
        `${url.origin} redirects to ${location}; give that address as the URL if it is correct.`,
      );
    }
    return response;
  } finally {
    silence.end();
  }
}

/** A signal that aborts `ms` after the last restart. */
function silenceLimit(ms: number): { signal: AbortSignal; restart(): void; end(): void } {
  const silent = new AbortController();
  const timer = setTimeout(() => {
    silent.abort(new DOMException(`no response for ${ms / 1000} s`, 'TimeoutError'));
  }, ms);
  return {
    signal: silent.signal,
    restart: () => void timer.refresh(),
    end: () => clearTimeout(timer),
  };
}

/** The `wait` of a long-polling request. */
function requestedWaitMs(url: URL): number {
  return Number(url.searchParams.get('wait') ?? 0) * 1000;
}
