import type { Severity } from '@bomtrail/messages';
import type { Digest } from '../../domain/digest';
import { fitted, withoutAutolinks } from '../text/free-text';
import { moreThan, wordingOf, type ItemWording, type Wording } from '../text/wording';

/**
 * Teams accepts messages of about 28 KB (learn.microsoft.com, "Limits and specifications for
 * Teams", messages) and counts UTF-16, two bytes per unit. A workflow accepts larger ones with 202
 * and fails afterwards, so that nobody would learn of it.
 */
export const teamsLimits = { bytes: 28 * 1024, line: 400, link: 2048 };

type Colour = 'Attention' | 'Warning' | 'Accent' | 'Default';

/** Text without Markdown. */
interface Run {
  type: 'TextRun';
  text: string;
  weight?: 'Bolder';
  size?: 'Large';
  color?: Colour;
  isSubtle?: true;
}

/** A paragraph of runs: unlike in a `TextBlock` no run is Markdown. */
interface Paragraph {
  type: 'RichTextBlock';
  separator?: true;
  inlines: Run[];
}

interface AdaptiveCard {
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  type: 'AdaptiveCard';
  version: '1.4';
  msteams: { width: 'Full' };
  body: Paragraph[];
  actions?: [{ type: 'Action.OpenUrl'; title: string; url: string }];
}

/** The body of a post to a workflow (trigger "When a Teams webhook request is received"). */
export interface TeamsMessage {
  type: 'message';
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive';
      contentUrl: null;
      content: AdaptiveCard;
    },
  ];
}

const colours: Record<Severity, Colour> = {
  critical: 'Attention',
  high: 'Attention',
  medium: 'Warning',
  low: 'Accent',
  unknown: 'Default',
  none: 'Default',
};

/** A digest as one Adaptive Card: as many vulnerabilities as fit, the rest as a count. */
export function teamsMessage(digest: Digest): TeamsMessage {
  const words = wordingOf(digest);
  for (let named = words.items.length; named > 0; named--) {
    const message = messageOf(digest, words, named);
    if (2 * JSON.stringify(message).length <= teamsLimits.bytes) return message;
  }
  return messageOf(digest, words, 0);
}

function messageOf(digest: Digest, words: Wording, named: number): TeamsMessage {
  const more = moreThan(named, digest.total);
  const link = words.link !== null && words.link.length <= teamsLimits.link ? words.link : null;
  const content: AdaptiveCard = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      paragraph({ ...run(words.headline), weight: 'Bolder', size: 'Large' }),
      ...(words.counts === '' ? [] : [paragraph(run(words.counts))]),
      ...words.items
        .slice(0, named)
        .flatMap((item, at) => itemParagraphs(item, colours[digest.top[at]?.severity ?? 'none'])),
      ...(more === undefined ? [] : [paragraph(run(more))]),
      ...words.reminders.map((one) => paragraph(run(one))),
      paragraph({ ...run(words.why), isSubtle: true }),
    ],
    ...(link === null
      ? {}
      : { actions: [{ type: 'Action.OpenUrl', title: 'See all of them', url: link }] }),
  };
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

function itemParagraphs(item: ItemWording, color: Colour): Paragraph[] {
  const lines = [item.title, item.risk, `${item.package}: ${item.fix}`, `service ${item.service}`];
  return [
    {
      type: 'RichTextBlock',
      separator: true,
      inlines: [{ ...run(`${item.severity} `), weight: 'Bolder', color }, run(item.id)],
    },
    ...lines.filter((line) => line !== '').map((line) => paragraph(run(line))),
  ];
}

function paragraph(...inlines: Run[]): Paragraph {
  return { type: 'RichTextBlock', inlines };
}

/** A word joiner between braces prevents `{{DATE(…)}}`, and within `<at>` a mention. */
function run(text: string): Run {
  const plain = withoutAutolinks(text)
    .replace(/\{(?=\{)/g, '{\u2060')
    .replace(/<(?=at\b)/gi, '<\u2060');
  return { type: 'TextRun', text: fitted(plain, teamsLimits.line, (character) => character) };
}
