import { inboxOf, type ServiceName } from '@bomtrail/messages';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  type ConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node';
import type { z } from 'zod';
import type { busSettings } from './bus-settings';

type AllSettings = z.infer<typeof busSettings>;

/** What a connection needs of the settings. */
export type BusSettings = Pick<AllSettings, 'NATS_URL'> & Partial<AllSettings>;

/** The user whose permissions a connection has: a service, or an operator at a terminal. */
export type BusUser = ServiceName | 'operator';

/** Maps the settings to options of the NATS client. */
export function busAccess(settings: BusSettings, service: BusUser): ConnectionOptions {
  const { NATS_URL, NATS_USER: user, NATS_PASSWORD: pass, NATS_NKEY, NATS_CREDS } = settings;
  const tls = tlsOf(settings);
  return {
    servers: NATS_URL.split(',').map((url) => url.trim()),
    // Permissions allow a service to subscribe to its own inboxes only.
    inboxPrefix: inboxOf(service),
    ...(user && pass ? { user, pass } : {}),
    ...(NATS_NKEY ? { authenticator: nkeyAuthenticator(Buffer.from(NATS_NKEY)) } : {}),
    ...(NATS_CREDS ? { authenticator: credsAuthenticator(Buffer.from(NATS_CREDS)) } : {}),
    ...(tls ? { tls } : {}),
  };
}

/** Undefined: no TLS. Otherwise the client requires TLS; the library itself ignores the scheme `tls://`. */
function tlsOf(settings: BusSettings): TlsOptions | undefined {
  const { NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key } = settings;
  const { NATS_TLS_SERVERNAME: servername } = settings;
  const given = Object.entries({ ca, cert, key, servername }).filter(([, value]) => value);
  if (given.length === 0 && !/(^|,)\s*(tls|wss):/.test(settings.NATS_URL)) return undefined;
  return Object.fromEntries(given);
}
