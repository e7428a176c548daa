import type { Channel } from '../channel';
import { createWebhookChannel, type WebhookDeps } from '../webhook/webhook-channel';
import { discordMessage } from './render';

/** Hosts of Discord webhooks. */
const discordHosts = ['discord.com', 'discordapp.com', 'ptb.discord.com', 'canary.discord.com'];

/** @param url the default webhook of the deployment */
export function createDiscordChannel(url: string | undefined, deps: WebhookDeps): Channel {
  const service = {
    name: 'Discord',
    url,
    setting: 'DISCORD_WEBHOOK_URL',
    message: discordMessage,
    postUrl: discordPostUrl,
    errorCode: discordErrorCode,
  };
  return createWebhookChannel(service, deps);
}

/**
 * With `wait` Discord responds after the message is stored; without, a message that is not stored
 * is no error (docs.discord.com, "Webhook resource", Execute Webhook). Without a version in the
 * path an old API responds with `Retry-After` in milliseconds (discord-api-docs issue 2360);
 * version 10 uses seconds.
 */
export function discordPostUrl(webhook: URL): URL {
  const url = new URL(webhook);
  if (discordHosts.includes(url.hostname)) {
    url.pathname = url.pathname.replace(/^\/api\/webhooks\//, '/api/v10/webhooks/');
  }
  url.searchParams.set('wait', 'true');
  return url;
}

/**
 * Discord's error responses contain a number (docs.discord.com, "Opcodes and Status Codes", JSON
 * error codes).
 */
function discordErrorCode(body: string): string | undefined {
  try {
    const code = (JSON.parse(body) as { code?: unknown } | null)?.code;
    return Number.isInteger(code) ? `code ${String(code)}` : undefined;
  } catch {
    return undefined;
  }
}
