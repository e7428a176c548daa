import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { requestIdForm } from '@bomtrail/messages';

/** The request's `X-Request-Id` if valid, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestIdForm.test(given) ? given : randomUUID();
}
