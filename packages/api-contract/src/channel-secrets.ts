import { valueError, type Fault } from './fault';

/** Bytes of a signing key (standardwebhooks.com, specification, "Signature scheme"). */
const keyBytes = { least: 24, most: 64 };

/** The fault of a text that should be a secret of Standard Webhooks. Faults repeat no part of it. */
export function webhookSecretFault(text: string): Fault | undefined {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  const bytes = key === undefined ? 0 : Buffer.from(key, 'base64').byteLength;
  return bytes >= keyBytes.least && bytes <= keyBytes.most
    ? undefined
    : valueError('expected whsec_ and 24 to 64 random bytes in Base64');
}

/** The fault of a text that should be an integration key of PagerDuty. Faults repeat no part of it. */
export function routingKeyFault(text: string): Fault | undefined {
  return /^[A-Za-z0-9]{32}$/.test(text)
    ? undefined
    : valueError('expected the 32 letters and digits of an Events API v2 integration key');
}
