import { faultOf, fieldsOf, listOf, oneOf, ShapeFault, textOf, type Fields } from './shape';
import { startWebhookFake, type WebhookFake, type WebhookFakeOptions } from './webhook-fake';

/** Maximum characters of all titles, descriptions, fields, footers and authors of a message. */
const inAll = 6000;

/**
 * Returns why Discord would reject a message, or how it could mention someone: a title above 256 characters, a
 * description above 4,096, more than 25 fields, a field name above 256 or value above 1,024, more than 6,000 in all
 * (docs.discord.com, "Message resource", embed limits), or mentions that are not disabled.
 *
 * @returns undefined if it is valid
 */
export function discordFault(body: unknown): string | undefined {
  return faultOf(() => {
    const message = fieldsOf(body, 'message', ['content', 'embeds', 'allowed_mentions', 'flags']);
    if (message['content'] !== undefined) textOf(message['content'], 'content', [1, 2000]);
    const mentions = fieldsOf(message['allowed_mentions'], 'allowed_mentions', ['parse']);
    listOf(mentions['parse'], 'allowed_mentions.parse', [0, 0]);
    const embeds = listOf(message['embeds'], 'embeds', [1, 10]);
    const characters = embeds.reduce<number>((sum, embed, at) => sum + lengthOf(embed, at), 0);
    if (characters > inAll) throw new ShapeFault(`${characters} characters in all`);
  });
}

function lengthOf(value: unknown, index: number): number {
  const where = `embeds[${index}]`;
  const embed = fieldsOf(value, where, [
    'title',
    'description',
    'color',
    'fields',
    'footer',
    'timestamp',
  ]);
  const texts = [
    optional(embed, 'title', { where, most: 256 }),
    optional(embed, 'description', { where, most: 4096 }),
    ...listOf(embed['fields'] ?? [], `${where}.fields`, [0, 25]).flatMap((field, at) =>
      fieldTexts(field, `${where}.fields[${at}]`),
    ),
  ];
  if (embed['footer'] !== undefined) {
    const footer = fieldsOf(embed['footer'], `${where}.footer`, ['text']);
    texts.push(textOf(footer['text'], `${where}.footer.text`, [1, 2048]));
  }
  const colour = embed['color'] ?? 0;
  if (!Number.isInteger(colour) || Number(colour) < 0 || Number(colour) > 0xffffff) {
    throw new ShapeFault(`${where}.color`);
  }
  if (embed['timestamp'] !== undefined && Number.isNaN(Date.parse(String(embed['timestamp'])))) {
    throw new ShapeFault(`${where}.timestamp`);
  }
  return texts.reduce((sum, text) => sum + text.length, 0);
}

function optional(of: Fields, key: string, bounds: { where: string; most: number }): string {
  const value = of[key];
  return value === undefined ? '' : textOf(value, `${bounds.where}.${key}`, [1, bounds.most]);
}

function fieldTexts(value: unknown, where: string): string[] {
  const field = fieldsOf(value, where, ['name', 'value', 'inline']);
  oneOf(field['inline'], `${where}.inline`, [undefined, true, false]);
  return [
    textOf(field['name'], `${where}.name`, [1, 256]),
    textOf(field['value'], `${where}.value`, [1, 1024]),
  ];
}

/** Sent with every response (docs.discord.com, "Rate Limits", header format). */
function rateLimitHeaders(wait: number | undefined): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'X-RateLimit-Limit': '5',
    'X-RateLimit-Remaining': wait === undefined ? '4' : '0',
    'X-RateLimit-Reset-After': String(wait ?? 1),
  };
}

/** Starts a fake of Discord webhooks with Discord's limits. */
export function startDiscordFake(options: WebhookFakeOptions = {}): Promise<WebhookFake> {
  return startWebhookFake(
    {
      path: '/api/webhooks/',
      fault: discordFault,
      responses: {
        failing: { status: 500, body: '{"message":"500: Internal Server Error","code":0}' },
        refused: { status: 400, body: '{"message":"Invalid Form Body","code":50035}' },
        unknown: { status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
      },
      served: (query) =>
        query.get('wait') === 'true'
          ? { status: 200, body: '{"id":"1","type":0,"content":"","channel_id":"1"}' }
          : { status: 204, body: '' },
      headers: rateLimitHeaders,
      limited: (seconds) =>
        JSON.stringify({
          message: 'You are being rate limited.',
          retry_after: seconds,
          global: false,
        }),
    },
    options,
  );
}
