/** Failures that may be gone at the next attempt, by their codes in Node.js and undici. */
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
  /** For a person. */
  reason: string;
  /** May the next attempt end well? A wrong certificate stays wrong. */
  isTransient: boolean;
  /** Was nothing sent for sure? */
  beforeSending: boolean;
}

/** What a failed `fetch` means: it hides the reason in `cause`. */
export function networkFailure(error: unknown): NetworkFailure {
  const { name, message, cause } = error as Error & { cause?: unknown };
  if (name === 'TimeoutError') {
    return { reason: 'no answer in time', isTransient: true, beforeSending: false };
  }
  const { code, message: detail } = (cause ?? {}) as { code?: string; message?: string };
  return {
    reason: [code, detail].filter(Boolean).join(': ') || message,
    isTransient: code !== undefined && TRANSIENT_CODES.has(code),
    beforeSending: ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code ?? ''),
  };
}
