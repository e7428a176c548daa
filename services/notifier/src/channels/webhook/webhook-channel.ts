import { createHash } from 'node:crypto';
import { webhookUrlFault } from '@bomtrail/api-contract';
import type { Digest } from '../../domain/digest';
import { bounded, type EndedBy } from '../bounded';
import type { Channel, Outcome, Target } from '../channel';
import { plainText } from '../text/plain-text';
import { otherProtocol, post, type RpcResponse } from './post';
import { internalAddress, type Resolve } from './public-lookup';
import { retryAfterMs } from './retry-after';

/** Connecting, sending and the answer together. */
export const webhookTimeoutMs = 10_000;

/** What differs between services that take webhooks. */
export interface WebhookService {
  /** As reasons name it. */
  name: string;
  /** The deployment's own webhook, if it has one. */
  url: string | undefined;
  /** The setting that `url` comes from. */
  setting: string;
  message(digest: Digest): unknown;
  /** The address to post to; the webhook's own by default. */
  postUrl?(webhook: URL): URL;
  /** A code of the service that tells an operator what is wrong, of an answer that is no success. */
  errorCode(body: string): string | undefined;
}

export interface WebhookDeps {
  /** Whether a rule's own webhook may be http and lead to internal addresses. */
  anyAddress: boolean;
  resolve: Resolve;
  now: () => Date;
  timeoutMs: number;
}

/**
 * A channel that posts to webhooks: a rule's own `webhook_url`, else the deployment's. A rule's own is checked as
 * the API checks it, once more, and where its name leads when the connection is made. The deployment's
 * own is trusted like every other address that the operator sets: it may be http and internal, such as
 * a chat server in the same network. Redirects are followed for neither.
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
      return targetAt(service, deps, { url: new URL(text), anyAddress: deps.anyAddress });
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
  return targetAt(service, deps, { url: new URL(service.url), anyAddress: true });
}

function targetAt(
  service: WebhookService,
  deps: WebhookDeps,
  webhook: { url: URL; anyAddress: boolean },
): Target {
  const url = service.postUrl?.(webhook.url) ?? webhook.url;
  const key = `webhook:${createHash('sha256').update(url.href).digest('hex')}`;
  return {
    key,
    receivers: [key],
    send: (digest, signal) =>
      bounded({ ms: deps.timeoutMs, signal }, async (ending, endedBy) => {
        const body = JSON.stringify(service.message(digest));
        try {
          const { anyAddress } = webhook;
          const answer = await post({
            url,
            body,
            anyAddress,
            resolve: deps.resolve,
            signal: ending,
          });
          return outcomeOf(answer, service, deps.now());
        } catch (error) {
          return { kind: 'failed', reason: reasonOf(error, service.name, endedBy()) };
        }
      }),
  };
}

function outcomeOf(answer: RpcResponse, service: WebhookService, now: Date): Outcome {
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status >= 300 && status < 400) {
    const reason = `${service.name} answered ${status}: redirects are not followed.`;
    return { kind: 'failed', reason };
  }
  const code = service.errorCode(answer.body);
  const reason = `${service.name} answered ${status}${code === undefined ? '' : ` (${code})`}.`;
  const retryAfter = retryAfterMs(answer, now);
  return {
    kind: 'failed',
    reason,
    ...(retryAfter === undefined ? {} : { retryAfterMs: retryAfter }),
  };
}

/** Codes only: messages of errors hold addresses. */
function reasonOf(error: unknown, name: string, endedBy: EndedBy | undefined): string {
  if (endedBy === 'time') return `${name} did not answer in time.`;
  if (endedBy === 'caller') return 'The attempt was ended before an answer came.';
  const { code } = error as NodeJS.ErrnoException;
  if (code === internalAddress) {
    return 'The host of the webhook_url leads to a private, loopback, link-local or other internal address, which is not allowed.';
  }
  if (code === otherProtocol) return `${name} answered 101: another protocol is not spoken.`;
  const shown = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return `${name} could not be reached${shown}.`;
}
