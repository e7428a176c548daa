import type { ContractOperation } from '@bomtrail/api-contract';
import type { Request } from 'express';
import type { Outcome } from '../domain/audit-entry';
import type { Caller } from '../domain/caller';
import { outcomeOf } from '../httpError';
import type { AuditedCall, AuditTrail } from '../use-cases/audit-calls';
import { isHangUp } from './hang-up';

interface Audited {
  operation: ContractOperation;
  caller: Caller;
  /** Its address; null: not known. */
  client: string | null;
}

/** Begins the entry of a request, once its key was accepted. A request that changes nothing has none. */
export function beginAudit(
  trail: AuditTrail,
  request: Request,
  { operation, caller, client }: Audited,
): AuditedCall {
  if (operation.method === 'GET') return unaudited;
  const audited = trail.begin({
    caller,
    protocol: 'rest',
    operation: operation.operationId,
    method: request.method,
    path: request.path,
    client,
  });
  audited.about(request.params);
  return audited;
}

/** How a request ended that was not answered with success. */
export function endOfRequest(error: unknown, request: Request): Outcome {
  return request.socket.destroyed && isHangUp(error) ? { kind: 'aborted' } : outcomeOf(error);
}

const unaudited: AuditedCall = {
  stored: async () => {},
  about: () => {},
  end: () => {},
};
