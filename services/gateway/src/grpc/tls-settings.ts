import { X509Certificate, createPrivateKey } from 'node:crypto';

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
  const read = parsed(certificate, (pem) => new X509Certificate(pem));
  const readKey = parsed(key, createPrivateKey);
  if (read === 'broken') {
    errors.push({ setting: 'GRPC_TLS_CERT', message: 'must be a certificate in PEM' });
  }
  if (readKey === 'broken') {
    errors.push({ setting: 'GRPC_TLS_KEY', message: 'must be a key in PEM, not encrypted' });
  }
  if (parsed(ca, (pem) => new X509Certificate(pem)) === 'broken') {
    errors.push({ setting: 'GRPC_TLS_CLIENT_CA', message: 'must be certificates in PEM' });
  }
  if (isRead(read) && isRead(readKey) && !read.checkPrivateKey(readKey)) {
    errors.push({ setting: 'GRPC_TLS_KEY', message: 'is not the key of GRPC_TLS_CERT' });
  }
  return errors;
}

function parsed<Value extends object>(
  pem: string | undefined,
  parse: (pem: string) => Value,
): Value | 'broken' | undefined {
  if (!pem) return undefined;
  try {
    return parse(pem);
  } catch {
    return 'broken';
  }
}

function isRead<Value extends object>(value: Value | 'broken' | undefined): value is Value {
  return typeof value === 'object';
}
