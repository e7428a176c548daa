import { pemErrors } from '@bomtrail/settings';

/** PEM texts. */
export interface TlsSettings {
  /** The server's certificate, followed by intermediates. */
  GRPC_TLS_CERT?: string | undefined;
  GRPC_TLS_KEY?: string | undefined;
  /** CA certificates for client certificates, if required. */
  GRPC_TLS_CLIENT_CA?: string | undefined;
}

/**
 * Validation errors that prevent the start: an incomplete pair, invalid PEM, a key of another
 * certificate.
 */
export function tlsErrors(
  settings: TlsSettings,
): { setting: keyof TlsSettings; message: string }[] {
  const { GRPC_TLS_CERT: certificate, GRPC_TLS_KEY: key, GRPC_TLS_CLIENT_CA: ca } = settings;
  const errors: ReturnType<typeof tlsErrors> = [];
  if (certificate && !key) {
    errors.push({ setting: 'GRPC_TLS_CERT', message: 'needs GRPC_TLS_KEY beside it' });
  }
  if (key && !certificate) {
    errors.push({ setting: 'GRPC_TLS_KEY', message: 'needs GRPC_TLS_CERT beside it' });
  }
  if (ca && !certificate) {
    errors.push({ setting: 'GRPC_TLS_CLIENT_CA', message: 'needs GRPC_TLS_CERT beside it' });
  }
  const names = {
    certificate: 'GRPC_TLS_CERT',
    key: 'GRPC_TLS_KEY',
    ca: 'GRPC_TLS_CLIENT_CA',
  } as const;
  return [...errors, ...pemErrors(settings, names)];
}
