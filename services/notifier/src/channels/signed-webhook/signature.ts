import { createHmac } from 'node:crypto';

/**
 * Headers of a signed request (standardwebhooks.com, specification): the id is the same for every
 * attempt; id, time and body are signed with HMAC-SHA256.
 *
 * @param secrets one, or several while receivers change to a new one; each signs
 */
export function signatureHeaders(
  secrets: readonly string[],
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  const seconds = String(Math.floor(now.getTime() / 1000));
  const signed = `${id}.${seconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  };
}

function hmac(secret: string, text: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
