import type { Problem } from '@bomtrail/api-contract';
import { AppError, errorTable, type ErrorCode } from '@bomtrail/messages';
import type { Outcome } from './domain/audit-entry';

/** Fields of a request are wrong: all of its problems together (422). */
export class ValidationError extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('The request does not fit the contract.');
    this.name = 'ValidationError';
  }
}

export const unprocessableStatus = 422;
/** Seconds that a client should wait when a part of the product is away: about what a restart takes. */
const retryAfterSeconds = 5;

/** What a client is told of an error that is no `ValidationError`, through whichever door. */
export interface HttpError {
  code: ErrorCode;
  /** One sentence that a person can act on. */
  detail: string;
  /** Seconds after which a repetition can succeed; null: it is of no use, or nobody knows. */
  retryAfter: number | null;
}

/** Of an error that is no outcome of ours nothing is shown. */
export function httpErrorOf(error: unknown): HttpError {
  if (!(error instanceof AppError) || error.code === 'internal_error') {
    return { code: 'internal_error', detail: errorTable.internal_error.detail, retryAfter: null };
  }
  const { code, message } = error;
  const usual = errorTable[code].http === 503 ? retryAfterSeconds : null;
  return { code, detail: message, retryAfter: error.retryAfterSeconds ?? usual };
}

/** How a call ended, for its audit entry: the status of REST, and the code where there is one. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof ValidationError) {
    return { kind: 'answered', status: unprocessableStatus, code: null };
  }
  const { code } = httpErrorOf(error);
  return { kind: 'answered', status: errorTable[code].http, code };
}

/** Is this an outcome that a client is told of, not a fault of ours? */
export function isOutcome(error: unknown): boolean {
  if (error instanceof ValidationError) return true;
  return error instanceof AppError && error.code !== 'internal_error';
}
