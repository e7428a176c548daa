import { createHash } from 'node:crypto';
import { emailAddressFault, isAllowedRecipient } from '@bomtrail/api-contract';
import { inSpan, type SpanStart } from '@bomtrail/telemetry';
import { createTransport } from 'nodemailer';
import type { Digest } from '../../domain/digest';
import { bounded, type EndedBy } from '../bounded';
import type { Channel, ChannelConfig, Outcome } from '../channel';
import { plainText } from '../text/plain-text';
import { mailIdentity } from './identity';
import { mailContent } from './render';
import type { EmailSettings, Mailbox } from './settings';

/**
 * Timeout for connecting, sending and the final reply. Longer than for a webhook: servers check for
 * spam before they reply, and a mail whose reply is not awaited is sent twice (RFC 5321 4.5.3.2.6).
 */
export const emailTimeoutMs = 15_000;

/** Every server accepts this number in one transaction (RFC 5321 4.5.3.1.8). */
export const maxRecipients = 100;

export interface EmailDeps {
  timeoutMs: number;
  /** CA certificates (PEM) instead of the well-known ones. */
  trusted?: string;
}

type Server = NonNullable<EmailSettings['server']>;

/** Server, sender and recipients of a mail. */
interface Route {
  server: Server;
  from: Mailbox;
  /** Recipients; they do not see each other. */
  to: readonly string[];
  /** Number of recipients omitted because their domain is not allowed. */
  leftOut: number;
}

/**
 * The email channel: one mail to all recipients of a rule, or to the default recipients, in one
 * SMTP transaction, and without naming them if there are several.
 *
 * Recipients whose domain is not allowed (any more) are omitted and counted in the note; if none is
 * left, the rule is unconfigured and everything stays new.
 *
 * A mail that the server accepts for some recipients counts as sent, so that they do not get it
 * again with every retry because of one dead address; the note counts the rejected ones. Rejected
 * for all: failed.
 */
export function createEmailChannel(settings: EmailSettings, deps: EmailDeps): Channel {
  return {
    preview: plainText,
    targetOf: ({ config }) => {
      const { server, from } = settings;
      if (server === undefined || from === undefined) {
        return { unconfigured: 'SMTP_HOST or SMTP_FROM is not set.' };
      }
      const to = recipientsOf(config, settings);
      if ('unconfigured' in to) return to;
      const route = { server, from, to: to.addresses, leftOut: to.leftOut };
      return {
        key: `email:${hashOf(JSON.stringify(route.to))}`,
        receivers: receiversOf(route.to),
        send: (digest, signal) => send(digest, { route, deps, signal }),
      };
    },
  };
}

function recipientsOf(
  config: ChannelConfig,
  { recipients: fallback, domains }: EmailSettings,
): { addresses: string[]; leftOut: number } | { unconfigured: string } {
  const own = config['recipients'] ?? undefined;
  if (own === undefined) {
    if (fallback.length > 0) return { addresses: [...fallback], leftOut: 0 };
    return { unconfigured: 'ALERT_EMAIL_TO is not set, and the rule has no recipients.' };
  }
  const given: unknown[] = Array.isArray(own) ? own : [];
  const addresses = given.filter((address) => typeof address === 'string');
  const fine = addresses.every((address) => emailAddressFault(address) === undefined);
  if (addresses.length === 0 || addresses.length < given.length || !fine) {
    return { unconfigured: 'The recipients of the rule are not all mail addresses.' };
  }
  const different = [...new Set(addresses)];
  if (different.length > maxRecipients) {
    return { unconfigured: `The rule has more than ${maxRecipients} recipients.` };
  }
  const allowed = different.filter((address) => isAllowedRecipient(address, domains));
  if (allowed.length === 0) {
    return { unconfigured: 'ALERT_EMAIL_DOMAINS allows none of the recipients of the rule.' };
  }
  return { addresses: allowed, leftOut: different.length - allowed.length };
}

/** Addresses are compared case-insensitively, because almost no server distinguishes case. */
function receiversOf(to: readonly string[]): string[] {
  return [...new Set(to.map((address) => `email:${hashOf(address.toLowerCase())}`))];
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function outgoing({ host }: Server): SpanStart {
  return { name: 'send mail', kind: 'client', attributes: { 'server.address': host } };
}

async function send(
  digest: Digest,
  by: { route: Route; deps: EmailDeps; signal: AbortSignal },
): Promise<Outcome> {
  const { route, deps } = by;
  return bounded({ ms: deps.timeoutMs, signal: by.signal }, async (signal, endedBy) => {
    try {
      const mail = { ...mailOf(digest, route), signal };
      const sent = await inSpan(outgoing(route.server), () =>
        transport(route.server, deps).sendMail(mail),
      );
      const note = noteOn(route, sent.rejected.length);
      return note === undefined ? { kind: 'sent' } : { kind: 'sent', note };
    } catch (error) {
      return { kind: 'failed', reason: reasonOf(error, endedBy()) };
    }
  });
}

/** Problems although the mail was sent; undefined: none. */
function noteOn({ to, leftOut }: Route, refused: number): string | undefined {
  const notes = [
    ...(refused === 0 ? [] : [`The mail server rejected ${refused} of ${to.length} recipients.`]),
    ...(leftOut === 0
      ? []
      : [`ALERT_EMAIL_DOMAINS does not allow ${leftOut} of ${to.length + leftOut} recipients.`]),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** The header for several recipients: an empty group (RFC 5322 3.4, RFC 6854). */
const undisclosed = 'undisclosed-recipients:;';

/**
 * One mail, so one SMTP transaction, to all recipients, who do not see each other. Headers with untrusted text go
 * through nodemailer's encoder, which rejects line ends.
 */
function mailOf(digest: Digest, { from, to }: Route) {
  const { messageId, threadId, listId } = mailIdentity(digest, from.address);
  return {
    from: { name: from.name, address: from.address },
    to: to.length === 1 ? [{ name: '', address: to[0] ?? '' }] : undisclosed,
    envelope: { from: from.address, to: [...to] },
    ...mailContent(digest),
    messageId,
    inReplyTo: threadId,
    references: [threadId],
    headers: {
      'List-Id': { prepared: true, value: listId },
      // RFC 3834: suppresses automatic replies. Exchange uses its own header; bounces are wanted.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function transport({ host, port, tls, login }: Server, { timeoutMs, trusted }: EmailDeps) {
  return createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    // Requires a login even if the server offers none.
    ...(login === undefined
      ? {}
      : { auth: { user: login.username, pass: login.password }, forceAuth: true }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    ...(trusted === undefined ? {} : { tls: { ca: trusted } }),
  });
}

/** Codes only: messages and replies of servers contain addresses. */
function reasonOf(error: unknown, endedBy: EndedBy | undefined): string {
  if (endedBy === 'time') return 'The mail server timed out.';
  if (endedBy === 'caller') return 'The attempt was aborted before a response.';
  const { code, originalCode, responseCode } = error as Record<string, unknown>;
  const answer = Number.isInteger(responseCode) ? ` (${String(responseCode)})` : '';
  if (code === 'EAUTH') return `The mail server rejected the login${answer}.`;
  if (code === 'EENVELOPE')
    return `The mail server rejected the sender or every recipient${answer}.`;
  if (code === 'ETLS') return 'The mail server does not support TLS as set in SMTP_TLS.';
  if (answer !== '') return `The mail server rejected the message${answer}.`;
  // Nodemailer's own code is ESOCKET for a closed port as for a certificate that is not trusted.
  const cause = originalCode ?? code;
  const suffix = typeof cause === 'string' && /^[A-Z0-9_]{1,60}$/.test(cause) ? ` (${cause})` : '';
  return `The mail server is unreachable${suffix}.`;
}
