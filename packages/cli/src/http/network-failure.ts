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
    return { reason: 'no response in time', isTransient: true, beforeSending: false };
  }
  const { code, message: detail } = (cause ?? {}) as { code?: string; message?: string };
  return {
    reason: [code, detail].filter(Boolean).join(': ') || message,
    isTransient: code !== undefined && TRANSIENT_CODES.has(code),
    beforeSending: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? ''),
  };
}
