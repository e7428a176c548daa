import type { Problem } from '@bomtrail/api-contract';
import { AppError, errorTable, type ErrorCode } from '@bomtrail/messages';
import type { Outcome } from '../audit/domain/audit-entry';

/** Invalid fields, with all problems of the request (422). */
export class ValidationError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('The request is invalid.');
    this.name = 'ValidationError';
  }
}

export const unprocessableStatus = 422;
/** Retry-After for unavailable dependencies in seconds: about the duration of a restart. */
const retryAfterSeconds = 5;

/** The response to an error other than `ValidationError`, for both transports. */
export interface HttpError {
  code: ErrorCode;
  /** One sentence for people that states what to do. */
  detail: string;
  /** Seconds until a retry can succeed; null: useless or unknown. */
  retryAfter: number | null;
}

/** Unknown errors reveal nothing. */
export function httpErrorOf(error: unknown): HttpError {
  if (!(error instanceof AppError) || error.code === 'internal_error') {
    return { code: 'internal_error', detail: errorTable.internal_error.detail, retryAfter: null };
  }
  const { code, message } = error;
  const usual = errorTable[code].http === 503 ? retryAfterSeconds : null;
  return { code, detail: message, retryAfter: error.retryAfterSeconds ?? usual };
}

/** Outcome of a failed call for its audit entry: REST status and error code. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ValidationError) {
    return { kind: 'responded', status: unprocessableStatus, code: null };
  }
  const { code } = httpErrorOf(error);
  return { kind: 'responded', status: errorTable[code].http, code };
}

/** Whether this error is an expected outcome rather than a bug. */
export function isOutcome(error: unknown): boolean {
  if (error instanceof ValidationError) return true;
  return error instanceof AppError && error.code !== 'internal_error';
}
