import { routingKeyFault } from '@bomtrail/api-contract';
import type { Digest } from '../../domain/digest';
import type { Channel } from '../channel';
import { plainText } from '../text/plain-text';
import { webhookTarget, type WebhookDeps } from '../webhook/webhook-channel';
import { pagerDutyEvent } from './render';

export interface PagerDutySettings {
  /** Trusted: rules cannot change it, so that the key of the deployment goes nowhere else. */
  eventsUrl: string;
  /** Default integration key of the deployment. */
  routingKey: string | undefined;
}

/** Triggers an incident by the Events API v2, with a rule's `routing_key` or the default key. */
export function createPagerDutyChannel(settings: PagerDutySettings, deps: WebhookDeps): Channel {
  return {
    preview: plainText,
    targetOf: ({ config }) => {
      const own = config['routing_key'] ?? undefined;
      const key = own ?? settings.routingKey;
      if (key === undefined) {
        const unconfigured = 'PAGERDUTY_ROUTING_KEY is not set, and the rule has no routing_key.';
        return { unconfigured };
      }
      if (typeof key !== 'string' || routingKeyFault(key) !== undefined)
        return { unconfigured: 'The routing_key of the rule is not valid: change the rule.' };
      const service = {
        name: 'PagerDuty',
        message: (digest: Digest) => pagerDutyEvent(digest, key),
        errorCode: eventErrorCode,
      };
      const url = new URL(settings.eventsUrl);
      // One limit per integration, not one for all of PagerDuty.
      return webhookTarget(service, deps, {
        url,
        anyAddress: true,
        identity: `${url.href} ${key}`,
      });
    },
  };
}

/** PagerDuty responds with a `status` such as `invalid event`. */
function eventErrorCode(body: string): string | undefined {
  try {
    const status = (JSON.parse(body) as { status?: unknown } | null)?.status;
    return typeof status === 'string' && /^[a-z ]{1,40}$/.test(status) ? status : undefined;
  } catch {
    return undefined;
  }
}
