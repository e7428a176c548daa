import { lookup } from 'node:dns';
import type { AlertChannel } from '@bomtrail/messages';
import { noProxies, type Proxies } from '@bomtrail/outbound';
import type { Channel } from './channel';
import { createDiscordChannel } from './discord/channel';
import { createEmailChannel, emailTimeoutMs } from './email/email-channel';
import type { EmailSettings } from './email/settings';
import { createPagerDutyChannel, type PagerDutySettings } from './pagerduty/channel';
import { pagerDutyEventsUrl } from './pagerduty/render';
import { createSignedWebhookChannel, type SignedWebhookSettings } from './signed-webhook/channel';
import { createSlackChannel } from './slack/channel';
import { createTeamsChannel } from './teams/channel';
import type { Resolve } from './webhook/public-lookup';
import { webhookTimeoutMs } from './webhook/webhook-channel';

/** Settings of the channels, see `channelSettings` of `config.ts`. */
export interface ChannelSettings {
  email: EmailSettings;
  /** CA certificates (PEM) for the mail server; default: the well-known ones. */
  mailAuthority?: string | undefined;
  slackUrl: string | undefined;
  discordUrl: string | undefined;
  teamsUrl?: string | undefined;
  signedWebhook?: SignedWebhookSettings;
  pagerduty?: PagerDutySettings;
  /** Whether webhooks of rules may use http and internal addresses. */
  anyAddress: boolean;
  /** Of webhooks; mail goes directly. */
  proxies?: Proxies;
}

const noWebhook: SignedWebhookSettings = { url: undefined, secrets: [] };
const noPagerDuty: PagerDutySettings = { eventsUrl: pagerDutyEventsUrl, routingKey: undefined };

/** Replacements for tests. */
export interface ChannelDeps {
  /** Host name resolution; default: the system's. */
  resolve?: Resolve;
  now?: () => Date;
  /** Timeout of one attempt in milliseconds; default: the channel's. */
  timeoutMs?: number;
}

/** All channels by name. Opens no connections: each message has its own. */
export function createChannels(
  settings: ChannelSettings,
  deps: ChannelDeps = {},
): Record<AlertChannel, Channel> {
  const webhooks = {
    anyAddress: settings.anyAddress,
    resolve: deps.resolve ?? lookup,
    proxies: settings.proxies ?? noProxies,
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
    teams: createTeamsChannel(settings.teamsUrl, webhooks),
    webhook: createSignedWebhookChannel(settings.signedWebhook ?? noWebhook, webhooks),
    pagerduty: createPagerDutyChannel(settings.pagerduty ?? noPagerDuty, webhooks),
  };
}
