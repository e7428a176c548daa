import { faultOf, fieldsOf, listOf, oneOf, ShapeFault, textOf } from './shape';
import { startWebhookFake, type WebhookFake, type WebhookFakeOptions } from './webhook-fake';

/** About 28 KB, counted in UTF-16 (learn.microsoft.com, "Limits and specifications for Teams"). */
const largest = 28 * 1024;

/**
 * Returns why a Teams workflow would not post a message, or how a text of it could do something: more than 28 KB,
 * anything but one Adaptive Card of version 1.4 or older, unknown elements and fields, functions such as `{{DATE()}}`.
 *
 * @returns undefined if it is valid
 */
export function teamsFault(body: unknown): string | undefined {
  return faultOf(() => {
    const bytes = 2 * JSON.stringify(body ?? null).length;
    if (bytes > largest) throw new ShapeFault(`${bytes} bytes`);
    const message = fieldsOf(body, 'message', ['type', 'attachments']);
    oneOf(message['type'], 'type', ['message']);
    const [only] = listOf(message['attachments'], 'attachments', [1, 1]);
    const attachment = fieldsOf(only, 'attachment', ['contentType', 'contentUrl', 'content']);
    oneOf(attachment['contentType'], 'contentType', ['application/vnd.microsoft.card.adaptive']);
    oneOf(attachment['contentUrl'], 'contentUrl', [null, undefined]);
    checkCard(attachment['content']);
  });
}

function checkCard(value: unknown): void {
  const card = fieldsOf(value, 'card', [
    '$schema',
    'type',
    'version',
    'msteams',
    'body',
    'actions',
    'fallbackText',
  ]);
  oneOf(card['type'], 'card.type', ['AdaptiveCard']);
  oneOf(card['version'], 'card.version', ['1.0', '1.1', '1.2', '1.3', '1.4']);
  oneOf(fieldsOf(card['msteams'] ?? {}, 'msteams', ['width'])['width'], 'width', [
    undefined,
    'Full',
  ]);
  listOf(card['body'], 'card.body', [1, 1000]).forEach(checkBlock);
  listOf(card['actions'] ?? [], 'card.actions', [0, 6]).forEach((given, at) => {
    const action = fieldsOf(given, `actions[${at}]`, ['type', 'title', 'url']);
    oneOf(action['type'], `actions[${at}].type`, ['Action.OpenUrl']);
    textOf(action['title'], `actions[${at}].title`, [1, 100]);
    const url = textOf(action['url'], `actions[${at}].url`, [1, 4096]);
    if (!/^https?:\/\//.test(url)) throw new ShapeFault(`actions[${at}].url`);
  });
}

function checkBlock(value: unknown, index: number): void {
  const where = `body[${index}]`;
  const block = fieldsOf(value, where, ['type', 'separator', 'inlines']);
  oneOf(block['type'], `${where}.type`, ['RichTextBlock']);
  oneOf(block['separator'], `${where}.separator`, [undefined, true, false]);
  listOf(block['inlines'], `${where}.inlines`, [1, 50]).forEach((given, at) => {
    const known = ['type', 'text', 'weight', 'size', 'color', 'isSubtle'];
    const run = fieldsOf(given, `${where}.inlines[${at}]`, known);
    oneOf(run['type'], `${where}.inlines[${at}].type`, ['TextRun']);
    oneOf(run['weight'], `${where}.weight`, [undefined, 'Lighter', 'Default', 'Bolder']);
    oneOf(run['size'], `${where}.size`, [undefined, 'Small', 'Default', 'Medium', 'Large']);
    const colours = [undefined, 'Default', 'Accent', 'Good', 'Warning', 'Attention'];
    oneOf(run['color'], `${where}.color`, colours);
    const text = textOf(run['text'], `${where}.inlines[${at}].text`, [1, largest]);
    if (/\{\{|<at>/i.test(text)) throw new ShapeFault(`${where}: a function or mention`);
  });
}

/** Starts a fake of Teams workflows with the limits of Teams. */
export function startTeamsFake(options: WebhookFakeOptions = {}): Promise<WebhookFake> {
  const error = (code: string) => JSON.stringify({ error: { code, message: `${code}.` } });
  return startWebhookFake(
    {
      path: '/workflows/',
      fault: teamsFault,
      responses: {
        failing: { status: 500, body: error('InternalServerError') },
        refused: { status: 400, body: error('TriggerInputSchemaMismatch') },
        unknown: { status: 404, body: error('WorkflowNotFound') },
      },
      served: () => ({ status: 202, body: '' }),
      headers: () => ({ 'Content-Type': 'application/json' }),
      limited: () => error('WorkflowRunActionThrottled'),
    },
    options,
  );
}
