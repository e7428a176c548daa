import { webhookSecretFault } from '@bomtrail/api-contract';
import { deliveryId } from '../../domain/delivery-id';
import type { Channel, ChannelConfig } from '../channel';
import { plainText } from '../text/plain-text';
import { createWebhookChannel, type WebhookDeps } from '../webhook/webhook-channel';
import { webhookMessage } from './render';
import { signatureHeaders } from './signature';

export interface SignedWebhookSettings {
  /** Default webhook of the deployment. */
  url: string | undefined;
  /** Its keys; also those of rules' own webhooks without their own. */
  secrets: readonly string[];
}

/**
 * Posts JSON by a published schema, signed as Standard Webhooks. A rule's own key counts only with
 * its own webhook: the default webhook knows the key of the deployment.
 */
export function createSignedWebhookChannel(
  settings: SignedWebhookSettings,
  deps: WebhookDeps,
): Channel {
  return {
    preview: plainText,
    targetOf: (rule) => {
      const secrets = secretsOf(rule.config, settings);
      if ('unconfigured' in secrets) return secrets;
      const service = {
        name: 'The webhook',
        url: settings.url,
        setting: 'ALERT_WEBHOOK_URL',
        message: webhookMessage,
        headers: (digest: Parameters<typeof deliveryId>[0], sent: { body: string; now: Date }) =>
          signatureHeaders(secrets, { id: deliveryId(digest), ...sent }),
        errorCode: () => undefined,
      };
      return createWebhookChannel(service, deps).targetOf(rule);
    },
  };
}

function secretsOf(
  config: ChannelConfig,
  { secrets }: SignedWebhookSettings,
): readonly string[] | { unconfigured: string } {
  const own = config['webhook_secret'] ?? undefined;
  const hasOwnUrl = (config['webhook_url'] ?? undefined) !== undefined;
  if (own !== undefined && hasOwnUrl) {
    const fault = webhookSecretFault(typeof own === 'string' ? own : '');
    if (typeof own === 'string' && fault === undefined) return [own];
    return { unconfigured: 'The webhook_secret of the rule is not valid: change the rule.' };
  }
  if (secrets.length > 0) return secrets;
  const orOwn = hasOwnUrl ? ', and the rule has no webhook_secret' : '';
  return { unconfigured: `ALERT_WEBHOOK_SECRET is not set${orOwn}.` };
}
