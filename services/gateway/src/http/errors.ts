import { errorTable } from '@bomtrail/messages';
import type { Response } from 'express';
import { httpErrorOf, unprocessableStatus, ValidationError } from '../shared/http-error';

/** Responds with an error in the contract's shape (docs/rules.md H1, H2). */
export function sendError(response: Response, error: unknown): void {
  if (error instanceof ValidationError) {
    response.status(unprocessableStatus).json({ detail: error.problems });
    return;
  }
  const { code, detail, retryAfter } = httpErrorOf(error);
  const status = errorTable[code].http;
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (retryAfter !== null) response.set('Retry-After', String(retryAfter));
  response.status(status).json({ detail, code });
}
