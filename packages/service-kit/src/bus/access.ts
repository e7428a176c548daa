import { inboxOf, type ServiceName } from '@bomtrail/messages';
import {
  credsAuthenticator,
  nkeyAuthenticator,
  type ConnectionOptions,
  type TlsOptions,
} from '@nats-io/transport-node';
import type { CommonSettings } from '../settings/common-settings';

/** Settings that say where NATS is, who we are to it and how we know it. */
export type BusSettings = Pick<CommonSettings, 'NATS_URL'> &
  Partial<Pick<CommonSettings, `NATS_${string}` & keyof CommonSettings>>;

/** Whose rights a connection has: a service's, or those of a person at the terminal. */
export type BusUser = ServiceName | 'operator';

/** Options of the connection that a service's settings ask for. */
export function busAccess(settings: BusSettings, service: BusUser): ConnectionOptions {
  const { NATS_URL, NATS_USER: user, NATS_PASSWORD: pass, NATS_NKEY, NATS_CREDS } = settings;
  const tls = tlsOf(settings);
  return {
    servers: NATS_URL.split(',').map((url) => url.trim()),
    // Permissions let a service listen for answers under its own name only.
    inboxPrefix: inboxOf(service),
    ...(user && pass ? { user, pass } : {}),
    ...(NATS_NKEY ? { authenticator: nkeyAuthenticator(Buffer.from(NATS_NKEY)) } : {}),
    ...(NATS_CREDS ? { authenticator: credsAuthenticator(Buffer.from(NATS_CREDS)) } : {}),
    ...(tls ? { tls } : {}),
  };
}

/** With them the client speaks to no server that offers no TLS; the library itself reads no `tls://`. */
function tlsOf(settings: BusSettings): TlsOptions | undefined {
  const { NATS_TLS_CA: ca, NATS_TLS_CERT: cert, NATS_TLS_KEY: key } = settings;
  const { NATS_TLS_SERVERNAME: servername } = settings;
  const given = Object.entries({ ca, cert, key, servername }).filter(([, value]) => value);
  if (given.length === 0 && !/(^|,)\s*(tls|wss):/.test(settings.NATS_URL)) return undefined;
  return Object.fromEntries(given);
}
