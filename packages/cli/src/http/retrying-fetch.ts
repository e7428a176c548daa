import { setTimeout as delay } from 'node:timers/promises';
import { serviceError } from '../exit-codes';
import { backoffMs, retryAfterMs } from './backoff';
import { countedBody, type SendProgress } from './counted-body';
import { networkFailure } from './network-failure';

const ordinaryMs = 60_000;
const uploadMs = 600_000;
const retriedStatuses = new Set([429, 502, 503, 504]);

export interface RetryOptions {
  /** How long to retry after the first failure, in milliseconds. */
  forMs: number;
  /** Called before each retry. */
  onRetry: (line: string) => void;
  progress?: SendProgress;
  fetch?: typeof fetch;
  sleep?: (ms: number) => Promise<unknown>;
  now?: () => number;
  random?: () => number;
}

/**
 * Creates a `fetch` that retries connection errors, 429, 502, 503 and 504, honouring `Retry-After`. Responses are read
 * completely, so that a connection that breaks meanwhile is retried. Redirects are errors: they would send the key to
 * another address or turn an upload into a GET.
 *
 * Creating an API key is retried only if the first attempt certainly had no effect. A 404 for a retried DELETE becomes
 * 204, as an earlier attempt may have succeeded.
 *
 * @throws CliError (service) if the last attempt had no response
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
  const response = await (options.fetch ?? fetch)(url, {
    ...init,
    ...(body && {
      body: body.stream,
      duplex: 'half',
      headers: { ...(init.headers as Record<string, string>), ...body.headers },
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout((upload ? uploadMs : ordinaryMs) + requestedWaitMs(url)),
  } as RequestInit);
  if (response.status >= 300 && response.status < 400 && response.headers.has('location')) {
    throw serviceError(
      `${url.origin} redirects to ${response.headers.get('location')}; give that address as the URL if it is correct.`,
    );
  }
  const content = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(content.byteLength === 0 ? null : content, { status, statusText, headers });
}

/** The `wait` of a long-polling request. */
function requestedWaitMs(url: URL): number {
  return Number(url.searchParams.get('wait') ?? 0) * 1000;
}
