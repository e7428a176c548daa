import type { Digest } from '../../domain/digest';
import { fitted, withoutAutolinks } from '../text/free-text';
import { moreThan, wordingOf, type ItemWording, type Wording } from '../text/wording';

/**
 * Slack's limits, in UTF-16 units (docs.slack.dev, Block Kit reference: header block 150, text
 * object 3,000, a section's fields 10 of 2,000 each, 50 blocks per message). Slack truncates the
 * fallback at 40,000; clients show one or two lines of it.
 */
export const slackLimits = { blocks: 50, header: 150, text: 3000, field: 2000, fallback: 300 };

/** Plain text: no formatting, mentions or links. */
interface PlainText {
  type: 'plain_text';
  text: string;
  emoji: false;
}

/** Markdown of trusted text only. */
interface Markup {
  type: 'mrkdwn';
  text: string;
  /** Disables automatic links. */
  verbatim: true;
}

type Block =
  | { type: 'header'; text: PlainText }
  | { type: 'section'; text: Markup; fields?: PlainText[] }
  | { type: 'context'; elements: PlainText[] };

/** The body of a post to an incoming webhook (docs.slack.dev, "Sending messages using incoming webhooks"). */
export interface SlackMessage {
  /** Fallback for notifications and old clients. */
  text: string;
  mrkdwn: false;
  parse: 'none';
  link_names: false;
  unfurl_links: false;
  unfurl_media: false;
  blocks: Block[];
}

/** Blocks other than vulnerabilities and reminders: header, counts, remainder and reason. */
const otherBlocks = 4;

/**
 * A digest as one Slack message. Untrusted text is in `plain_text` objects only, with `&`, `<` and
 * `>` escaped, so that it cannot create mentions, links or formatting.
 */
export function slackMessage(digest: Digest): SlackMessage {
  const words = wordingOf(digest);
  const reminders = reminderBlocks(words.reminders);
  const most = slackLimits.blocks - otherBlocks - reminders.length;
  const items = words.items.slice(0, most);
  const counts = words.counts === '' ? '' : `: ${words.counts}`;
  const rest = restText(words, moreThan(items.length, digest.total));
  return {
    text: escaped(`${words.headline}${counts}`, slackLimits.fallback),
    mrkdwn: false,
    parse: 'none',
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: 'header', text: plain(words.headline, slackLimits.header) },
      ...(words.counts === '' ? [] : [section(words.counts)]),
      ...items.map(itemBlock),
      ...(rest === '' ? [] : [section(rest)]),
      ...reminders,
      { type: 'context', elements: [plain(words.why, slackLimits.text)] },
    ],
  };
}

function itemBlock(item: ItemWording): Block {
  const about = item.title === '' ? item.id : `${item.id}\n${item.title}`;
  const risk = item.risk === '' ? [] : [item.risk];
  const where = [item.package, item.fix, `service ${item.service}`, ...risk].join('\n');
  const fields = [plain(about, slackLimits.field), plain(where, slackLimits.field)];
  return { ...section(`*${item.severity}*`), fields };
}

/** Ten fields a section are Slack's limit. */
function reminderBlocks(reminders: readonly string[]): Block[] {
  const fields = reminders.map((one) => plain(one, slackLimits.field));
  const parts = [fields.slice(0, 10), fields.slice(10)].filter((part) => part.length > 0);
  return parts.map((part) => ({ ...section('*Reminders*'), fields: part }));
}

function restText(words: Wording, more: string | undefined): string {
  const link = words.link === null ? [] : [`<${escapedCharacters(words.link)}|See all of them>`];
  return [...(more === undefined ? [] : [more]), ...link].join('\n');
}

function section(text: string): { type: 'section'; text: Markup } {
  return { type: 'section', text: { type: 'mrkdwn', text, verbatim: true } };
}

function plain(text: string, most: number): PlainText {
  return { type: 'plain_text', text: escaped(text, most), emoji: false };
}

function escaped(text: string, most: number): string {
  return fitted(withoutAutolinks(text), most, escapedCharacters);
}

/** docs.slack.dev, "Formatting message text", escaping: these three and no others. */
function escapedCharacters(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
