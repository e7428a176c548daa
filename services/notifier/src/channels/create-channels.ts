import { lookup } from 'node:dns';
import type { AlertChannel } from '@bomtrail/messages';
import type { Channel } from './channel';
import { createDiscordChannel } from './discord/channel';
import { createEmailChannel, emailTimeoutMs } from './email/email-channel';
import type { EmailSettings } from './email/settings';
import { createSlackChannel } from './slack/channel';
import type { Resolve } from './webhook/public-lookup';
import { webhookTimeoutMs } from './webhook/webhook-channel';

/** What the channels need to know; `channelSettings` of `config.ts` reads it from the settings. */
export interface ChannelSettings {
  email: EmailSettings;
  /** Certificates in PEM that a mail server's is checked against; the well-known ones by default. */
  mailAuthority?: string | undefined;
  slackUrl: string | undefined;
  discordUrl: string | undefined;
  /** Whether a rule's own webhook may be http and lead to internal addresses. */
  anyAddress: boolean;
}

/** What tests put in place of the system's. */
export interface ChannelDeps {
  /** How names of hosts are resolved; the system's way by default. */
  resolve?: Resolve;
  now?: () => Date;
  /** Bound of one attempt, in milliseconds; each channel's own by default. */
  timeoutMs?: number;
}

/** Every channel by its name. Opens nothing: each message has a connection of its own. */
export function createChannels(
  settings: ChannelSettings,
  deps: ChannelDeps = {},
): Record<AlertChannel, Channel> {
  const webhooks = {
    anyAddress: settings.anyAddress,
    resolve: deps.resolve ?? lookup,
    now: deps.now ?? (() => new Date()),
    timeoutMs: deps.timeoutMs ?? webhookTimeoutMs,
  };
  return {
    email: createEmailChannel(settings.email, {
      timeoutMs: deps.timeoutMs ?? emailTimeoutMs,
      ...(settings.mailAuthority === undefined ? {} : { trusted: settings.mailAuthority }),
    }),
    slack: createSlackChannel(settings.slackUrl, webhooks),
    discord: createDiscordChannel(settings.discordUrl, webhooks),
  };
}
