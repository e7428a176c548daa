import type { ContractOperation } from '@bomtrail/api-contract';
import type { Request } from 'express';
import type { Outcome } from '../audit/domain/audit-entry';
import type { Caller } from '../api-keys/domain/caller';
import { outcomeOf } from '../shared/http-error';
import type { AuditedCall, AuditTrail } from '../audit/audit-calls';
import { isHangUp } from './hang-up';

interface Audited {
  operation: ContractOperation;
  caller: Caller;
  /** Client address; null if unknown. */
  client: string | null;
}

/** Begins the audit entry of a changing request after its key was accepted; reads have none. */
export function beginAudit(
  trail: AuditTrail,
  request: Request,
  { operation, caller, client }: Audited,
): AuditedCall {
  if (operation.readOnly) return unaudited;
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

/** Outcome of a failed request. */
export function endOfRequest(error: unknown, request: Request): Outcome {
  return request.socket.destroyed && isHangUp(error) ? { kind: 'aborted' } : outcomeOf(error);
}

const unaudited: AuditedCall = {
  stored: async () => {},
  about: () => {},
  end: () => {},
};
