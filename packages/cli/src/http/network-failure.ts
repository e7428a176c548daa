/** Error codes of Node.js and undici that a retry may solve. */
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** Error codes of certificates that no authority known to Node.js has issued. */
const UNKNOWN_ISSUER_CODES = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

export interface NetworkFailure {
  reason: string;
  /** A retry may succeed; not so for an invalid certificate. */
  isTransient: boolean;
  /** Certainly nothing was sent. */
  beforeSending: boolean;
}

/** Classifies an error of `fetch`, which has the reason in `cause`. */
export function networkFailure(error: unknown): NetworkFailure {
  const { name, message, cause } = error as Error & { cause?: unknown };
  if (name === 'TimeoutError') {
    return { reason: message, isTransient: true, beforeSending: false };
  }
  const { code, message: detail } = (cause ?? {}) as { code?: string; message?: string };
  const reason = [code, detail].filter(Boolean).join(': ') || message;
  const isUnknownIssuer = UNKNOWN_ISSUER_CODES.has(code ?? '');
  return {
    reason: isUnknownIssuer
      ? `${reason}; name the PEM file of its authority in NODE_EXTRA_CA_CERTS`
      : reason,
    isTransient: code !== undefined && TRANSIENT_CODES.has(code),
    beforeSending: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? ''),
  };
}
