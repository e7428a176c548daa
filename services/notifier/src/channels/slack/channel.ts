import type { Channel } from '../channel';
import { createWebhookChannel, type WebhookDeps } from '../webhook/webhook-channel';
import { slackMessage } from './render';

/** @param url the default incoming webhook of the deployment */
export function createSlackChannel(url: string | undefined, deps: WebhookDeps): Channel {
  const service = {
    name: 'Slack',
    url,
    setting: 'SLACK_WEBHOOK_URL',
    message: slackMessage,
    errorCode: slackErrorCode,
  };
  return createWebhookChannel(service, deps);
}

/**
 * Slack responds with one word such as `no_service` (docs.slack.dev, "Sending messages using
 * incoming webhooks").
 */
function slackErrorCode(body: string): string | undefined {
  return /^[a-z_]{1,60}$/.exec(body.trim())?.[0];
}
