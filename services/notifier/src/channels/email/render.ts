import type { Severity } from '@bomtrail/messages';
import type { Digest } from '../../domain/digest';
import { oneService, withoutAutolinks } from '../text/free-text';
import { plainText } from '../text/plain-text';
import { moreThan, wordingOf, type ItemWording } from '../text/wording';

/**
 * UTF-16 units. Mail programs show 60 to 100 of a subject; RFC 5322 2.1.1 allows 998 octets per
 * line.
 */
const longestSubject = 200;

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

const colours: Record<Severity, string> = {
  critical: '#b71c1c',
  high: '#bf360c',
  medium: '#8d5b00',
  low: '#0d47a1',
  unknown: '#424242',
  none: '#424242',
};

/**
 * A digest as a mail in text and HTML with equal content. The HTML loads nothing, contains no other
 * links than ours, and escapes untrusted text.
 */
export function mailContent(digest: Digest): MailContent {
  const words = wordingOf(digest);
  const counts = words.counts === '' ? '' : ` (${words.counts})`;
  return {
    subject: oneService(
      withoutEncodedWords(`[bomtrail] ${words.headline}${counts}`),
      longestSubject,
    ),
    text: `${plainText(digest)}\n`,
    html: htmlOf(digest),
  };
}

/**
 * Breaks up encoded words (RFC 2047), which mail programs would decode, for example to line ends;
 * ASCII headers are sent unchanged.
 */
function withoutEncodedWords(text: string): string {
  return text.replace(/=\?/g, '= ?');
}

function htmlOf(digest: Digest): string {
  const words = wordingOf(digest);
  const more = moreThan(words.items.length, digest.total);
  const rows = words.items.map((item, at) => {
    return itemRow(item, colours[digest.top[at]?.severity ?? 'unknown']);
  });
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><head><meta charset="utf-8"><title>bomtrail</title></head>',
    '<body style="margin:0;padding:16px;font:15px/1.45 system-ui,sans-serif;color:#212121">',
    `<h1 style="font-size:19px;margin:0 0 4px">${html(words.headline)}</h1>`,
    ...(words.counts === '' ? [] : [`<p style="margin:0 0 16px">${html(words.counts)}</p>`]),
    '<table role="presentation" style="border-collapse:collapse;width:100%;max-width:680px">',
    ...rows,
    '</table>',
    ...(more === undefined ? [] : [`<p style="margin:16px 0 0">${html(more)}</p>`]),
    ...remindersHtml(words.reminders),
    ...(words.link === null
      ? []
      : [`<p style="margin:16px 0 0"><a href="${attribute(words.link)}">See all of them</a></p>`]),
    `<p style="margin:16px 0 0;font-size:13px;color:#616161">${html(words.why)}</p>`,
    '</body></html>',
    '',
  ].join('\n');
}

function remindersHtml(reminders: readonly string[]): string[] {
  if (reminders.length === 0) return [];
  const lines = reminders.map((one) => `<li>${html(one)}</li>`);
  return ['<ul style="margin:16px 0 0;padding-left:20px">', ...lines, '</ul>'];
}

function itemRow(item: ItemWording, colour: string): string {
  const title = item.title === '' ? '' : `<br>${html(item.title)}`;
  const risk = item.risk === '' ? [] : [`<br><b>${html(item.risk)}</b>`];
  return [
    '<tr><td style="padding:10px 0;border-top:1px solid #e0e0e0">',
    `<b style="color:${colour}">${html(item.severity)}</b> <b>${html(item.id)}</b>${title}`,
    ...risk,
    `<br><code>${html(item.package)}</code>: ${html(item.fix)}`,
    `<br>service ${html(item.service)}`,
    '</td></tr>',
  ].join('');
}

function html(text: string): string {
  return attribute(withoutAutolinks(text));
}

function attribute(text: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, '&#39;');
}
