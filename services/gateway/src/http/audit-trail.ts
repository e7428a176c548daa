import type { ContractOperation } from '@bomtrail/api-contract';
import { AppError, errorTable } from '@bomtrail/messages';
import type { Request } from 'express';
import type { Outcome } from '../domain/audit-entry';
import type { Caller } from '../domain/caller';
import type { AuditedCall, AuditTrail } from '../use-cases/audit-calls';
import { unprocessableStatus, ValidationError } from './errors';
import { isHangUp } from './hang-up';

/** Begins the entry of a request, once its key was accepted. A request that changes nothing has none. */
export function beginAudit(
  trail: AuditTrail,
  request: Request,
  { operation, caller }: { operation: ContractOperation; caller: Caller },
): AuditedCall {
  if (operation.method === 'GET') return unaudited;
  const audited = trail.begin({
    caller,
    door: 'rest',
    operation: operation.operationId,
    method: request.method,
    path: request.path,
    client: request.socket.remoteAddress ?? null,
  });
  audited.about(request.params);
  return audited;
}

/** How a request ended that was not answered with success. */
export function endOfRequest(error: unknown, request: Request): Outcome {
  return request.socket.destroyed && isHangUp(error) ? { kind: 'aborted' } : refusal(error);
}

/** What an error is to a client, through whichever door: the status of REST, and the code where there is one. */
export function refusal(error: unknown): Outcome {
  if (error instanceof ValidationError) {
    return { kind: 'answered', status: unprocessableStatus, code: null };
  }
  const code = error instanceof AppError ? error.code : 'internal_error';
  return { kind: 'answered', status: errorTable[code].http, code };
}

const unaudited: AuditedCall = {
  stored: async () => {},
  about: () => {},
  end: () => {},
};
