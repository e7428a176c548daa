import { createHash } from 'node:crypto';
import { emailAddressFault, isAllowedRecipient } from '@bomtrail/api-contract';
import { inSpan, type SpanStart } from '@bomtrail/service-kit';
import { createTransport } from 'nodemailer';
import type { Digest } from '../../domain/digest';
import { bounded, type EndedBy } from '../bounded';
import type { Channel, ChannelConfig, Outcome } from '../channel';
import { plainText } from '../text/plain-text';
import { mailIdentity } from './identity';
import { mailContent } from './render';
import type { EmailSettings, Mailbox } from './settings';

/**
 * Connecting, sending and the last answer together. Longer than for a webhook: servers look for spam
 * before they answer, and a mail whose answer is not awaited is sent twice (RFC 5321 4.5.3.2.6).
 */
export const emailTimeoutMs = 15_000;

/** Every server takes so many in one transaction (RFC 5321 4.5.3.1.8). */
export const maxRecipients = 100;

export interface EmailDeps {
  timeoutMs: number;
  /** Certificates in PEM to trust in place of the well-known ones. */
  trusted?: string;
}

type Server = NonNullable<EmailSettings['server']>;

/** Where and as whom: all that sending needs. */
interface Route {
  server: Server;
  from: Mailbox;
  /** Those who get it; none of them sees the others. */
  to: readonly string[];
  /** Recipients of the rule that are left out, because their domain is not allowed. */
  leftOut: number;
}

/**
 * A channel that sends mail: one to all recipients of a rule, else to the deployment's own. It goes to all of them in
 * one transaction of SMTP, so that it is sent as a whole or not at all, and names none of them where there are several.
 *
 * A recipient of the rule whose domain is not allowed (any more) is left out, which the note says; where none is left,
 * the rule has no place to go to, and everything stays new.
 *
 * A mail that the server takes for some of the recipients and not for others is sent: the ones who got it
 * must not get it again with each attempt, and one dead address must not keep the others from being
 * told. How many were refused is in the note. Refused for all: failed.
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

/** An address in capitals counts as the same receiver: next to no server tells them apart. */
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

/** What was wrong although the mail was sent; undefined: nothing. */
function noteOn({ to, leftOut }: Route, refused: number): string | undefined {
  const notes = [
    ...(refused === 0 ? [] : [`The mail server refused ${refused} of ${to.length} recipients.`]),
    ...(leftOut === 0
      ? []
      : [`ALERT_EMAIL_DOMAINS does not allow ${leftOut} of ${to.length + leftOut} recipients.`]),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** What the header says where there are several recipients: a group without members (RFC 5322 3.4, RFC 6854). */
const undisclosed = 'undisclosed-recipients:;';

/** Every header that is not made of our own words goes through an encoder of nodemailer, which takes no line end. */
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
      // RFC 3834: no robot answers this. Exchange asks for a header of its own; bounces are wanted.
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
    // A login is tried also where the server offers none: the mail does not go without it.
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

/** Codes only: messages and answers of servers hold addresses. */
function reasonOf(error: unknown, endedBy: EndedBy | undefined): string {
  if (endedBy === 'time') return 'The mail server did not answer in time.';
  if (endedBy === 'caller') return 'The attempt was ended before an answer came.';
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const answer = Number.isInteger(responseCode) ? ` (${String(responseCode)})` : '';
  if (code === 'EAUTH') return `The mail server refused the login${answer}.`;
  if (code === 'EENVELOPE')
    return `The mail server refused the sender or every recipient${answer}.`;
  if (code === 'ETLS') return 'The mail server offers no TLS, or not as SMTP_TLS says.';
  if (answer !== '') return `The mail server refused the message${answer}.`;
  const shown = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return `The mail server could not be reached${shown}.`;
}
