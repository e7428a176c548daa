import type { Checked, ContractOperation } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';
import { hasScope, type Caller } from '../domain/caller';
import { ValidationError } from '../refusal';
import type { AuditedCall, AuditTrail } from '../use-cases/audit-calls';
import { callerOn } from './authenticate';
import { beginAudit, endOfRequest } from './audit-trail';
import type { Call, Exchange, Reply, Route } from './call';
import { clientOn } from './client-on';
import { noteOperation } from './request-context';
import { sendReply, statusOf } from './send-reply';

/** Whoever asks where no key is needed. */
const anonymous: Caller = {
  keyId: '',
  keyPrefix: '',
  keyName: null,
  scopes: ['read'],
  projectId: null,
  expiresAt: null,
};

interface Served {
  operation: ContractOperation;
  route: Route;
}

/**
 * The way of every request, once its key was accepted: scope (403) → body (400, 413) → all fields
 * (422) → use case → answer (decisions.md "Which status when"). Where it changes something its audit
 * entry is begun first, stored while the body is read, and completed beside the answer.
 */
export function serveOperation({
  operation,
  route,
  trail,
}: Served & { trail: AuditTrail }): RequestHandler {
  return async (request, response) => {
    noteOperation(response, operation.operationId);
    const caller = route.scopes ? callerOn(response) : anonymous;
    const exchange = { request, response, operation };
    const audited = beginAudit(trail, request, { operation, caller, client: clientOn(response) });
    let reply: Reply;
    try {
      reply = await perform({ operation, route }, { exchange, caller, audited });
    } catch (error) {
      audited.end(endOfRequest(error, request));
      throw error;
    }
    const status = statusOf(exchange, reply);
    const answer = reply.kind === 'json' ? reply.body : null;
    if (reply.kind === 'nothing') audited.about(reply.about);
    audited.end({ kind: 'answered', status, code: null }, answer);
    await sendReply(exchange, reply);
  };
}

async function perform(
  { operation, route }: Served,
  { exchange, caller, audited }: { exchange: Exchange; caller: Caller; audited: AuditedCall },
): Promise<Reply> {
  const { validators } = operation;
  const { request } = exchange;
  if (route.scopes && !hasScope(caller, route.scopes)) throw new AppError('insufficient_scope');
  const path = validators.path(request.params as Record<string, string>);
  const query = validators.query(request.query as Record<string, string | string[]>);
  const received = await route.receive(exchange);
  try {
    const call = valid({ path, query, body: received.body });
    audited.about(call.body);
    await audited.stored();
    return await route.handle({ ...call, caller, request });
  } finally {
    await received.dispose();
  }
}

/** The values of all parts. @throws ValidationError with the problems of all parts */
function valid(parts: {
  path: Checked<object>;
  query: Checked<object>;
  body: Checked<unknown>;
}): Pick<Call, 'path' | 'query' | 'body'> {
  const { path, query, body } = parts;
  if (path.ok && query.ok && body.ok) {
    return { path: path.value, query: query.value, body: body.value };
  }
  throw new ValidationError([path, query, body].flatMap((part) => (part.ok ? [] : part.problems)));
}
