import type { Problem } from '@bomtrail/api-contract';
import { AppError, errorTable } from '@bomtrail/messages';
import type { Response } from 'express';

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

/**
 * Answers an error in the contract's shape (decisions.md "Bodies that are not shown"). Of an error
 * that is no outcome of ours nothing is shown.
 */
export function sendError(response: Response, error: unknown): void {
  if (error instanceof ValidationError) {
    response.status(unprocessableStatus).json({ detail: error.problems });
    return;
  }
  const outcome = error instanceof AppError ? error : new AppError('internal_error');
  const { code, message } = outcome;
  const status = errorTable[code].http;
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  const retryAfter = retryAfterOf(outcome);
  if (retryAfter !== null) response.set('Retry-After', String(retryAfter));
  const detail = code === 'internal_error' ? errorTable.internal_error.detail : message;
  response.status(status).json({ detail, code });
}

/** Seconds after which a repetition can succeed; null: it is of no use, or nobody knows. */
export function retryAfterOf(error: AppError): number | null {
  if (error.retryAfterSeconds !== undefined) return error.retryAfterSeconds;
  return errorTable[error.code].http === 503 ? retryAfterSeconds : null;
}

/** Is this an outcome that a client is told of, not a fault of ours? */
export function isOutcome(error: unknown): boolean {
  if (error instanceof ValidationError) return true;
  return error instanceof AppError && error.code !== 'internal_error';
}
