import { createHash } from 'node:crypto';
import { webhookUrlFault } from '@bomtrail/api-contract';
import type { Proxies } from '@bomtrail/outbound';
import type { Digest } from '../../domain/digest';
import { bounded, type EndedBy } from '../bounded';
import type { Channel, Outcome, Target } from '../channel';
import { plainText } from '../text/plain-text';
import { otherProtocol, post, type RpcResponse } from './post';
import { internalAddress, type Resolve } from './public-lookup';
import { proxyRefused } from './tunnel';
import { requestedPauseMs } from './requested-pause';

/** Timeout for connecting, sending and the response. */
export const webhookTimeoutMs = 10_000;

/** Differences between webhook services. */
export interface WebhookService {
  /** Name in reasons. */
  name: string;
  /** Default webhook of the deployment, if set. */
  url: string | undefined;
  /** Name of the setting of `url`. */
  setting: string;
  message(digest: Digest): unknown;
  /** Headers beside those of JSON, such as a signature of the body; default: none. */
  headers?(digest: Digest, sent: { body: string; now: Date }): Record<string, string>;
  /** Maps a webhook URL to the URL to post to; default: unchanged. */
  postUrl?(webhook: URL): URL;
  /** Extracts the service's error code from an error response. */
  errorCode(body: string): string | undefined;
}

export interface WebhookDeps {
  /** Whether webhooks of rules may use http and internal addresses. */
  anyAddress: boolean;
  resolve: Resolve;
  /** Through which webhooks are posted. */
  proxies: Proxies;
  now: () => Date;
  timeoutMs: number;
}

/**
 * A channel that posts to a rule's `webhook_url` or the default webhook. A rule's webhook is
 * validated again, and its resolved address is checked on connect. The default webhook is trusted,
 * like every address that the operator sets: it may use http and internal addresses. Redirects are
 * never followed.
 */
export function createWebhookChannel(service: WebhookService, deps: WebhookDeps): Channel {
  return {
    preview: plainText,
    targetOf: ({ config }) => {
      const own = config['webhook_url'] ?? undefined;
      if (own === undefined) return deploymentTarget(service, deps);
      const text = typeof own === 'string' ? own : '';
      const fault = webhookUrlFault(text, { anyAddress: deps.anyAddress });
      if (fault !== undefined)
        return { unconfigured: `The webhook_url of the rule is not allowed: ${fault.msg}.` };
      return webhookTarget(service, deps, { url: new URL(text), anyAddress: deps.anyAddress });
    },
  };
}

function deploymentTarget(
  service: WebhookService,
  deps: WebhookDeps,
): ReturnType<Channel['targetOf']> {
  if (service.url === undefined) {
    return { unconfigured: `${service.setting} is not set, and the rule has no webhook_url.` };
  }
  return webhookTarget(service, deps, { url: new URL(service.url), anyAddress: true });
}

/** A receiver of webhooks. */
export interface Webhook {
  url: URL;
  /** Whether it may be an internal address. */
  anyAddress: boolean;
  /** Distinguishes receivers behind the same URL; default: the URL. */
  identity?: string;
}

/** The target behind a URL that is allowed. */
export function webhookTarget(
  service: Omit<WebhookService, 'url' | 'setting'>,
  deps: WebhookDeps,
  webhook: Webhook,
): Target {
  const url = service.postUrl?.(webhook.url) ?? webhook.url;
  const identity = webhook.identity ?? url.href;
  const key = `webhook:${createHash('sha256').update(identity).digest('hex')}`;
  return {
    key,
    receivers: [key],
    send: (digest, signal) =>
      bounded({ ms: deps.timeoutMs, signal }, async (ending, endedBy) => {
        const body = JSON.stringify(service.message(digest));
        const headers = service.headers?.(digest, { body, now: deps.now() }) ?? {};
        try {
          const { anyAddress } = webhook;
          const answer = await post({
            url,
            body,
            headers,
            anyAddress,
            resolve: deps.resolve,
            proxies: deps.proxies,
            signal: ending,
          });
          return outcomeOf(answer, service, deps.now());
        } catch (error) {
          return { kind: 'failed', reason: reasonOf(error, service.name, endedBy()) };
        }
      }),
  };
}

function outcomeOf(
  answer: RpcResponse,
  service: Pick<WebhookService, 'name' | 'errorCode'>,
  now: Date,
): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    const reason = `${service.name} answered ${status}: redirects are not followed.`;
    return { kind: 'failed', reason };
  }
  const code = service.errorCode(answer.body);
  const reason = `${service.name} answered ${status}${code === undefined ? '' : ` (${code})`}.`;
  const retryAfter = requestedPauseMs(answer, now);
  return {
    kind: 'failed',
    reason,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

/** Codes only: error messages contain addresses. */
function reasonOf(error: unknown, name: string, endedBy: EndedBy | undefined): string {
  if (endedBy === 'time') return `${name} timed out.`;
  if (endedBy === 'caller') return 'The attempt was aborted before a response.';
  const { code } = error as NodeJS.ErrnoException;
  if (code === internalAddress) {
    return 'The host of the webhook_url resolves to an internal address, which is not allowed.';
  }
  if (code === otherProtocol) return `${name} answered 101: switching protocols is not supported.`;
  if (code?.startsWith(proxyRefused) === true) {
    return `The proxy opened no tunnel to ${name} (status ${code.slice(proxyRefused.length)}).`;
  }
  const suffix = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return `${name} is unreachable${suffix}.`;
}
