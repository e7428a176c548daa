import { ServerCredentials } from '@grpc/grpc-js';
import type { TlsSettings } from './tls-settings';

/** Server credentials: TLS if a certificate is set, else plain text. */
export function credentialsOf(settings: TlsSettings): ServerCredentials {
  const { GRPC_TLS_CERT: certificate, GRPC_TLS_KEY: key, GRPC_TLS_CLIENT_CA: ca } = settings;
  if (!certificate || !key) return ServerCredentials.createInsecure();
  return ServerCredentials.createSsl(
    ca ? Buffer.from(ca) : null,
    [{ cert_chain: Buffer.from(certificate), private_key: Buffer.from(key) }],
    ca !== undefined,
  );
}
