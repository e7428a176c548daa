import { faultOf, fieldsOf, listOf, oneOf, ShapeFault, textOf } from './shape';
import { startWebhookFake, type WebhookFake, type WebhookFakeOptions } from './webhook-fake';

/** Maximum bytes of an event. */
const largest = 512 * 1024;

/**
 * Returns why the Events API v2 would reject an event: more than 512 KB, a routing key of other than 32 characters, a
 * summary above 1,024 or dedup_key above 255 characters, another severity, links without `https`
 * (developer.pagerduty.com, "Send an Alert Event").
 *
 * @returns undefined if it is valid
 */
export function pagerDutyFault(body: unknown): string | undefined {
  return faultOf(() => {
    const bytes = Buffer.byteLength(JSON.stringify(body ?? null));
    if (bytes > largest) throw new ShapeFault(`${bytes} bytes`);
    const event = fieldsOf(body, 'event', [
      'routing_key',
      'event_action',
      'dedup_key',
      'client',
      'client_url',
      'links',
      'images',
      'payload',
    ]);
    if (!/^[A-Za-z0-9]{32}$/.test(textOf(event['routing_key'], 'routing_key', [32, 32])))
      throw new ShapeFault('routing_key');
    oneOf(event['event_action'], 'event_action', ['trigger']);
    textOf(event['dedup_key'], 'dedup_key', [1, 255]);
    listOf(event['links'] ?? [], 'links', [0, 100]).forEach((given, at) => {
      const link = fieldsOf(given, `links[${at}]`, ['href', 'text']);
      if (!/^https:\/\//.test(textOf(link['href'], `links[${at}].href`, [1, 4096])))
        throw new ShapeFault(`links[${at}].href`);
    });
    checkPayload(event['payload']);
  });
}

function checkPayload(value: unknown): void {
  const payload = fieldsOf(value, 'payload', [
    'summary',
    'source',
    'severity',
    'timestamp',
    'component',
    'group',
    'class',
    'custom_details',
  ]);
  textOf(payload['summary'], 'summary', [1, 1024]);
  textOf(payload['source'], 'source', [1, 255]);
  oneOf(payload['severity'], 'severity', ['critical', 'error', 'warning', 'info']);
  if (Number.isNaN(Date.parse(String(payload['timestamp'])))) throw new ShapeFault('timestamp');
}

/** Starts a fake of the Events API v2; its `url` is the same for every channel: the routing key tells them apart. */
export async function startPagerDutyFake(options: WebhookFakeOptions = {}): Promise<WebhookFake> {
  const fake = await startWebhookFake(
    {
      path: '/v2/',
      fault: pagerDutyFault,
      responses: {
        failing: { status: 500, body: '' },
        refused: { status: 400, body: '{"status":"invalid event","errors":[]}' },
        unknown: { status: 404, body: '' },
      },
      served: () => ({ status: 202, body: '{"status":"success","message":"Event processed"}' }),
      headers: () => ({ 'Content-Type': 'application/json' }),
      limited: () => '{"status":"throttle exceeded"}',
    },
    options,
  );
  return { ...fake, url: () => fake.url('enqueue') };
}
