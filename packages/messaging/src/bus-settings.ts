import { credsAuthenticator, nkeyAuthenticator, type Authenticator } from '@nats-io/transport-node';
import { z } from 'zod';

/** Whether credentials can be read. Otherwise each attempt to connect fails, as with an unreachable server. */
function isReadable(credentials: string, by: (bytes: Uint8Array) => Authenticator): boolean {
  try {
    by(Buffer.from(credentials))('nonce');
    return true;
  } catch {
    return false;
  }
}

/** Settings of the NATS connection: address, credentials, TLS, replicas and size of the streams. */
export const busSettings = z.object({
  NATS_URL: z
    .string()
    .refine(
      (urls) => urls.split(',').every((url) => /^\s*(nats|tls|ws|wss):\/\/\S+\s*$/.test(url)),
      'must be comma-separated URLs that begin with nats:// or tls://',
    )
    .refine(
      (urls) => urls.split(',').every((url) => URL.canParse(url.trim().replace(/^\w+/, 'http'))),
      'must have a host in each URL, and a port up to 65535 if any',
    )
    .describe('NATS servers; tls:// requires TLS'),
  NATS_REPLICAS: z.coerce
    .number('must be 1, 3 or 5')
    .refine((count) => [1, 3, 5].includes(count), 'must be 1, 3 or 5')
    .optional()
    .describe(
      'Replicas of each stream in a NATS cluster, the same in all services; default: 1 for new streams',
    ),
  NATS_STORAGE_BYTES: z.coerce
    .number('must be a number of bytes')
    .int('must be a number of bytes')
    .min(1024 ** 2, 'must be 1048576 (1 MiB) or more')
    .optional()
    .describe(
      'Maximum bytes of all streams together, the same in all services; default: 1 GiB for new streams',
    ),
  NATS_USER: z.string().optional().describe('User of NATS'),
  NATS_PASSWORD: z.string().optional().describe('Its password'),
  NATS_NKEY: z
    .string()
    .refine(
      (seed) => isReadable(seed, nkeyAuthenticator),
      'must be a seed, SU…; a path is given as NATS_NKEY_FILE',
    )
    .optional()
    .describe('Seed of an NKey, instead of user and password'),
  NATS_CREDS: z
    .string()
    .refine(
      (text) => isReadable(text, credsAuthenticator),
      'must be the text, not a path; a path is given as NATS_CREDS_FILE',
    )
    .optional()
    .describe('Text of a .creds file (JWT and seed), instead of user and password'),
  NATS_TLS_CA: z
    .string()
    .optional()
    .describe('CA of the certificate of NATS, in PEM; requires TLS; default: the well-known CAs'),
  NATS_TLS_CERT: z.string().optional().describe('Client certificate for NATS, in PEM'),
  NATS_TLS_KEY: z.string().optional().describe('Its key, in PEM, not encrypted'),
  NATS_TLS_SERVERNAME: z
    .string()
    .optional()
    .describe('Host name in the certificate of NATS, if not that of NATS_URL'),
});
