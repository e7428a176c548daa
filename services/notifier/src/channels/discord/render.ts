import type { Severity } from '@bomtrail/messages';
import type { Digest } from '../../domain/digest';
import { fitted } from '../text/free-text';
import { moreThan, wordingOf, type ItemWording } from '../text/wording';

/**
 * Discord's limits (docs.discord.com, "Message resource", embed limits; `all` is over all texts of the embed). Discord
 * counts characters; UTF-16 units are never fewer.
 */
export const discordLimits = {
  title: 256,
  description: 4096,
  fields: 25,
  name: 256,
  value: 1024,
  footer: 2048,
  all: 6000,
};

interface Field {
  name: string;
  value: string;
  inline: false;
}

interface Embed {
  title: string;
  description?: string;
  color: number;
  fields: Field[];
  footer: { text: string };
  timestamp: string;
}

/** The body of a post to a webhook (docs.discord.com, "Webhook resource", Execute Webhook). */
export interface DiscordMessage {
  embeds: [Embed];
  /** Suppresses all mentions ("Message resource", allowed mentions object). */
  allowed_mentions: { parse: [] };
}

/** Colours by severity. */
const colours: Record<Severity, number> = {
  critical: 0xb71c1c,
  high: 0xe65100,
  medium: 0xf9a825,
  low: 0x1565c0,
  unknown: 0x616161,
  none: 0x616161,
};

/**
 * A digest as one Discord message with one embed: as many vulnerabilities as fit, the rest as a
 * count. Markdown in untrusted text is escaped.
 */
export function discordMessage(digest: Digest): DiscordMessage {
  const words = wordingOf(digest);
  const title = markdown(words.headline, discordLimits.title);
  const link = words.link === null ? [] : [`[See all of them](${words.link})`];
  const description = [...(words.counts === '' ? [] : [`**${words.counts}**`]), ...link].join('\n');
  // Reserves space for the longest "and N more", since only the end shows whether it is needed.
  const reserved = restField(digest.total);
  const reminders = reminderFields(words.reminders, digest.reminders?.total ?? 0);
  const reminding = reminders.flatMap(({ name, value }) => [name, value]);
  const fixed = [title, description, words.why, reserved.name, reserved.value, ...reminding];
  let left = discordLimits.all - fixed.reduce((sum, text) => sum + text.length, 0);
  const fields: Field[] = [];
  for (const item of words.items.slice(0, discordLimits.fields - 2)) {
    const field = itemField(item);
    left -= field.name.length + field.value.length;
    if (left < 0) break;
    fields.push(field);
  }
  const rest = digest.total > fields.length ? [restField(digest.total - fields.length)] : [];
  return {
    embeds: [
      {
        title,
        ...(description === '' ? {} : { description }),
        color: colours[digest.top[0]?.severity ?? 'unknown'],
        fields: [...fields, ...rest, ...reminders],
        footer: { text: words.why },
        timestamp: digest.at,
      },
    ],
    allowed_mentions: { parse: [] },
  };
}

function itemField(item: ItemWording): Field {
  const title = item.title === '' ? [] : [item.title];
  const risk = item.risk === '' ? [] : [item.risk];
  const lines = [...title, ...risk, `${item.package}: ${item.fix}`, `service ${item.service}`];
  const most = Math.floor(discordLimits.value / lines.length) - 1;
  return {
    name: markdown(`${item.severity} · ${item.id}`, discordLimits.name),
    value: lines.map((line) => markdown(line, most)).join('\n'),
    inline: false,
  };
}

/** As many as fit into one field; the others are counted. */
function reminderFields(reminders: readonly string[], total: number): Field[] {
  if (reminders.length === 0) return [];
  const lines: string[] = [];
  let left = discordLimits.value - 40;
  for (const one of reminders) {
    const line = markdown(one, 240);
    left -= line.length + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const leftOut = reminders.length > lines.length ? moreThan(lines.length, total) : undefined;
  const more = leftOut === undefined ? [] : [`${leftOut} reminders`];
  return [{ name: 'Reminders', value: [...lines, ...more].join('\n'), inline: false }];
}

function restField(count: number): Field {
  return {
    name: moreThan(0, count) ?? '',
    value: 'They are in the list of this project.',
    inline: false,
  };
}

/**
 * One line of text with a backslash before each character that could begin formatting, a mention, a
 * link, an emoji or a time (Discord's "Markdown Text 101"), and before the dot of a leading number,
 * which would begin a list.
 */
function markdown(text: string, most: number): string {
  return fitted(text, most - 1, (character) =>
    /[\\*_~`|<>#\-+[\]():@]/.test(character) ? `\\${character}` : character,
  ).replace(/^(\d+)\./, '$1\\.');
}
