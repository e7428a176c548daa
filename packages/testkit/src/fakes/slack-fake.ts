import { faultOf, fieldsOf, listOf, oneOf, ShapeFault, textOf } from './shape';
import { startWebhookFake, type WebhookFake, type WebhookFakeOptions } from './webhook-fake';

/** Flags and the fallback text of a message to an incoming webhook. */
const messageFields = [
  'text',
  'blocks',
  'mrkdwn',
  'parse',
  'link_names',
  'unfurl_links',
  'unfurl_media',
];

/**
 * Returns why Slack would reject a message: more than 50 blocks, a section text above 3,000 characters, more than 10
 * fields or one above 2,000, a header above 150 or formatted, unknown blocks and fields (docs.slack.dev, Block Kit
 * reference; truncation of `text` above 40,000).
 *
 * @returns undefined if it is valid
 */
export function slackFault(body: unknown): string | undefined {
  return faultOf(() => {
    const message = fieldsOf(body, 'message', messageFields);
    textOf(message['text'], 'text', [1, 40_000]);
    listOf(message['blocks'], 'blocks', [1, 50]).forEach(checkBlock);
  });
}

function checkBlock(value: unknown, index: number): void {
  const where = `blocks[${index}]`;
  const block = fieldsOf(value, where, ['type', 'text', 'fields', 'elements', 'block_id']);
  switch (block['type']) {
    case 'header':
      checkText(block['text'], `${where}.text`, { types: ['plain_text'], bounds: [1, 150] });
      return;
    case 'section':
      checkSection(block, where);
      return;
    case 'context':
      listOf(block['elements'], `${where}.elements`, [1, 10]).forEach((element, at) =>
        checkText(element, `${where}.elements[${at}]`, { types: bothTypes, bounds: [1, 3000] }),
      );
      return;
    case 'divider':
      return;
    default:
      throw new ShapeFault(`${where}.type: ${JSON.stringify(block['type'])}`);
  }
}

const bothTypes = ['plain_text', 'mrkdwn'];

function checkSection(block: Readonly<Record<string, unknown>>, where: string): void {
  if (block['text'] === undefined && block['fields'] === undefined) {
    throw new ShapeFault(`${where}: neither text nor fields`);
  }
  if (block['text'] !== undefined) {
    checkText(block['text'], `${where}.text`, { types: bothTypes, bounds: [1, 3000] });
  }
  if (block['fields'] !== undefined) {
    listOf(block['fields'], `${where}.fields`, [1, 10]).forEach((field, at) =>
      checkText(field, `${where}.fields[${at}]`, { types: bothTypes, bounds: [1, 2000] }),
    );
  }
}

function checkText(
  value: unknown,
  where: string,
  allowed: { types: readonly string[]; bounds: [number, number] },
): void {
  const text = fieldsOf(value, where, ['type', 'text', 'emoji', 'verbatim']);
  oneOf(text['type'], `${where}.type`, allowed.types);
  textOf(text['text'], `${where}.text`, allowed.bounds);
  const flag = text['type'] === 'plain_text' ? 'verbatim' : 'emoji';
  if (text[flag] !== undefined) throw new ShapeFault(`${where}: ${flag} with ${text['type']}`);
}

/** Starts a fake of Slack's incoming webhooks with Slack's limits. */
export function startSlackFake(options: WebhookFakeOptions = {}): Promise<WebhookFake> {
  return startWebhookFake(
    {
      path: '/services/',
      fault: slackFault,
      responses: {
        failing: { status: 500, body: 'rollup_error' },
        refused: { status: 400, body: 'invalid_blocks' },
        unknown: { status: 404, body: 'no_service' },
      },
      served: () => ({ status: 200, body: 'ok' }),
      headers: () => ({}),
      limited: () => '{"ok":false,"error":"rate_limited"}',
    },
    options,
  );
}
