import {
  emailAddressFault,
  mailDomainsOf,
  routingKeyFault,
  webhookSecretFault,
} from '@bomtrail/api-contract';
import { readProxies } from '@bomtrail/outbound';
import { commonSettings, proxySettings } from '@bomtrail/service-runtime';
import { trueOrFalse } from '@bomtrail/settings';
import { z } from 'zod';
import type { ChannelSettings } from './channels/create-channels';
import { maxRecipients } from './channels/email/email-channel';
import { addressesOf, mailboxOf } from './channels/email/settings';
import { pagerDutyEventsUrl } from './channels/pagerduty/render';

/** Default ports: submission (RFC 6409), submission over TLS (RFC 8314), SMTP without TLS. */
const smtpPorts = { starttls: 587, tls: 465, none: 25 };

const webUrl = z.url({ protocol: /^https?$/, error: 'must be a URL with https:// or http://' });

const declared = commonSettings.extend({
  ...proxySettings.shape,
  ALERT_CHECK_INTERVAL_SECONDS: z.coerce
    .number('must be a number of seconds')
    .int()
    .min(1)
    .max(24 * 3600)
    .default(300)
    .describe('Time between two checks of all alert rules'),
  ALERT_MAX_RULES_PER_PROJECT: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1)
    .max(10_000)
    .default(50)
    .describe('Maximum alert rules per project; more are rejected with 409'),
  ALERT_MESSAGES_PER_HOUR: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1)
    .max(1_000_000)
    .default(60)
    .describe(
      'Maximum alerts per hour for each project and receiver; the rest comes in one later message',
    ),
  ALERT_TESTS_PER_HOUR: z.coerce
    .number('must be a whole number')
    .int('must be a whole number')
    .min(1)
    .max(10_000)
    .default(20)
    .describe(
      'Maximum test messages per hour for each API key, project and receiver; more are rejected with 429',
    ),
  SMTP_HOST: z.string().optional().describe('Mail server; without it, email rules cannot send'),
  SMTP_PORT: z.coerce
    .number('must be a port number')
    .int('must be a port number')
    .min(1, 'must be a port number')
    .max(65535, 'must be a port number')
    .optional()
    .describe('Port of the mail server; default: 587 with starttls, 465 with tls, 25 with none'),
  SMTP_TLS: z
    .enum(['starttls', 'tls', 'none'], 'must be starttls, tls or none')
    .default('starttls')
    .describe('`starttls`: STARTTLS required; `tls`: TLS from the start; `none`: no TLS'),
  SMTP_TLS_CA: z
    .string()
    .optional()
    .describe('CA certificate of the mail server, in PEM; default: the well-known ones'),
  SMTP_USERNAME: z
    .string()
    .optional()
    .describe('User name for the mail server, which must then support logins; default: no login'),
  SMTP_PASSWORD: z.string().optional().describe('Password for the mail server'),
  SMTP_FROM: z
    .string()
    .refine(isMailbox, 'must be an address, or Name <address>')
    .optional()
    .describe('Sender address; required with SMTP_HOST'),
  ALERT_EMAIL_TO: z
    .string()
    .transform(addressesOf)
    .refine(
      (list) => list.length > 0 && list.every(isAddress),
      'must be mail addresses, comma-separated',
    )
    .refine((list) => list.length <= maxRecipients, `must be ${maxRecipients} addresses or fewer`)
    .optional()
    .describe(`Recipients of rules without own recipients, at most ${maxRecipients}`),
  ALERT_EMAIL_DOMAINS: z
    .string()
    .default('')
    .transform(mailDomainsOf)
    .refine(
      (domains) => domains !== undefined,
      'must be domains such as example.org, comma-separated',
    )
    .describe(
      'Allowed recipient domains of alert rules; default: all. Does not apply to ALERT_EMAIL_TO',
    ),
  SLACK_WEBHOOK_URL: webUrl.optional().describe('Slack webhook for rules without webhook_url'),
  DISCORD_WEBHOOK_URL: webUrl.optional().describe('Discord webhook for rules without webhook_url'),
  TEAMS_WEBHOOK_URL: webUrl.optional().describe('Teams workflow for rules without webhook_url'),
  ALERT_WEBHOOK_URL: webUrl
    .optional()
    .describe('Receiver of signed JSON for webhook rules without webhook_url'),
  ALERT_WEBHOOK_SECRET: z
    .string()
    .transform((text) => text.split(/\s+/).filter((secret) => secret !== ''))
    .refine(
      (secrets) =>
        secrets.length > 0 &&
        secrets.length <= 2 &&
        secrets.every((secret) => webhookSecretFault(secret) === undefined),
      'must be whsec_ and 24 to 64 random bytes in Base64; two, separated by a space, during a change',
    )
    .optional()
    .describe('Key of signed webhooks; two, separated by a space, during a change'),
  PAGERDUTY_ROUTING_KEY: z
    .string()
    .refine(
      (key) => routingKeyFault(key) === undefined,
      'must be the 32 letters and digits of an Events API v2 integration key',
    )
    .optional()
    .describe('Integration key (Events API v2) for pagerduty rules without routing_key'),
  PAGERDUTY_EVENTS_URL: webUrl
    .default(pagerDutyEventsUrl)
    .describe(
      'Endpoint of PagerDuty; accounts in Europe: https://events.eu.pagerduty.com/v2/enqueue',
    ),
  ALERT_ALLOW_PRIVATE_WEBHOOKS: trueOrFalse(false).describe(
    'Allow webhooks of alert rules to use http and internal addresses; those of settings always may',
  ),
  PUBLIC_URL: webUrl.optional().describe('Address of this installation, for links in messages'),
  WEB_PAGE: trueOrFalse(true).describe('Messages link to the page, not to the API'),
});

/** Validates settings that depend on each other. */
export const settings = declared.superRefine((given, context) => {
  const needs = (setting: keyof typeof given, other: keyof typeof given) => {
    if (given[setting] === undefined || given[other] !== undefined) return;
    context.addIssue({ code: 'custom', path: [setting], message: `is set without ${other}` });
  };
  needs('SMTP_HOST', 'SMTP_FROM');
  needs('ALERT_WEBHOOK_URL', 'ALERT_WEBHOOK_SECRET');
  needs('SMTP_USERNAME', 'SMTP_PASSWORD');
  needs('SMTP_PASSWORD', 'SMTP_USERNAME');
});

export type Settings = ReturnType<typeof settings.parse>;

/** Settings of the channels. */
export function channelSettings(given: Settings): ChannelSettings {
  const { SMTP_HOST: host, SMTP_USERNAME: username, SMTP_PASSWORD: password } = given;
  const tls = given.SMTP_TLS;
  const login =
    username === undefined || password === undefined ? undefined : { username, password };
  return {
    email: {
      server:
        host === undefined
          ? undefined
          : { host, port: given.SMTP_PORT ?? smtpPorts[tls], tls, login },
      from: given.SMTP_FROM === undefined ? undefined : mailboxOf(given.SMTP_FROM),
      recipients: given.ALERT_EMAIL_TO ?? [],
      domains: given.ALERT_EMAIL_DOMAINS ?? [],
    },
    mailAuthority: given.SMTP_TLS_CA,
    slackUrl: given.SLACK_WEBHOOK_URL,
    discordUrl: given.DISCORD_WEBHOOK_URL,
    teamsUrl: given.TEAMS_WEBHOOK_URL,
    signedWebhook: { url: given.ALERT_WEBHOOK_URL, secrets: given.ALERT_WEBHOOK_SECRET ?? [] },
    pagerduty: { eventsUrl: given.PAGERDUTY_EVENTS_URL, routingKey: given.PAGERDUTY_ROUTING_KEY },
    anyAddress: given.ALERT_ALLOW_PRIVATE_WEBHOOKS,
    proxies: readProxies(given),
  };
}

function isMailbox(text: string): boolean {
  const mailbox = mailboxOf(text);
  return mailbox !== undefined && isAddress(mailbox.address);
}

function isAddress(text: string): boolean {
  return emailAddressFault(text) === undefined;
}
