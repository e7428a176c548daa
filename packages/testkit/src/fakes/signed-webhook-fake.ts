import { createHmac, timingSafeEqual } from 'node:crypto';
import { faultOf, oneOf, ShapeFault, textOf } from './shape';
import {
  startWebhookFake,
  type ReceivedCall,
  type WebhookFake,
  type WebhookFakeOptions,
} from './webhook-fake';

/** Maximum bytes that the receiver reads. */
const largest = 256 * 1024;
/** Older requests may be replays. */
const toleranceSeconds = 5 * 60;

/**
 * Returns why a receiver of Standard Webhooks would refuse a request: no or another signature, a time that is not of
 * the last five minutes, an id that is not that of the body, more than 256 KiB.
 *
 * @returns undefined if it is valid
 */
export function signedWebhookFault(
  body: unknown,
  { text, headers }: ReceivedCall,
  secret: string,
): string | undefined {
  return faultOf(() => {
    const id = textOf(headers['webhook-id'], 'webhook-id', [1, 100]);
    const time = textOf(headers['webhook-timestamp'], 'webhook-timestamp', [1, 20]);
    const signatures = textOf(headers['webhook-signature'], 'webhook-signature', [1, 500]);
    const age = Math.abs(Date.now() / 1000 - Number(time));
    if (!(age <= toleranceSeconds)) throw new ShapeFault('webhook-timestamp: too old');
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${time}.${text}`).digest();
    const isSigned = signatures.split(' ').some((signature) => {
      const [version, value = ''] = signature.split(',');
      const given = Buffer.from(value, 'base64');
      return (
        version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
      );
    });
    if (!isSigned) throw new ShapeFault('webhook-signature: no valid one');
    oneOf((body as { id?: unknown } | null)?.id, 'id', [id]);
    const bytes = Buffer.byteLength(text);
    if (bytes > largest) throw new ShapeFault(`${bytes} bytes`);
  });
}

/** Starts a receiver of signed webhooks. */
export function startSignedWebhookFake(
  options: WebhookFakeOptions & { secret: string },
): Promise<WebhookFake> {
  return startWebhookFake(
    {
      path: '/hooks/',
      fault: (body, call) => signedWebhookFault(body, call, options.secret),
      responses: {
        failing: { status: 500, body: '' },
        refused: { status: 400, body: '' },
        unknown: { status: 404, body: '' },
      },
      served: () => ({ status: 204, body: '' }),
      headers: () => ({}),
      limited: () => '',
    },
    options,
  );
}
