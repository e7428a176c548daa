import type { Checked, ContractOperation } from '@bomtrail/api-contract';
import type { RequestHandler } from 'express';
import { requireRight, expectSameReach } from '../access/require-right';
import type { RecheckCallerDeps } from '../access/check-caller';
import type { Right } from '../access/domain/rights';
import type { Caller } from '../api-keys/domain/caller';
import { ValidationError } from '../shared/http-error';
import type { AuditedCall, AuditTrail } from '../audit/audit-calls';
import { authenticateAgain, callerOn } from './authenticate';
import { beginAudit, endOfRequest } from './audit-trail';
import type { Call, Exchange, Reply, Route } from './call';
import { clientOn } from './client-on';
import { warnOfIgnoredQuery } from './ignored-input';
import { noteOperation } from './request-context';
import { sendReply, statusOf } from './send-reply';
import { whileAllowed } from './while-allowed';

/** The caller of operations without one. */
const anonymous: Caller = {
  id: '',
  identity: { kind: 'key', prefix: '', name: null, scopes: ['read'] },
  grants: [],
  projects: 'all',
  expiresAt: null,
};

interface Served {
  operation: ContractOperation;
  route: Route;
  /** The right that the operation requires; null: not even a caller. */
  right: Right | null;
}

export interface ServeDeps extends RecheckCallerDeps {
  trail: AuditTrail;
}

/**
 * Processes a request after authentication: right (403), body (400, 413), caller again (401, 403), all
 * fields (422), use case, response (docs/rules.md H4). The audit entry of a change is begun first,
 * stored while the body is read, and completed alongside the response. For reads, the caller
 * is checked once more before the response, because the request may have waited, and while a stream is
 * sent.
 */
export function serveOperation(deps: ServeDeps, served: Served): RequestHandler {
  const { operation, right } = served;
  return async (request, response) => {
    noteOperation(response, operation.operationId);
    warnOfIgnoredQuery(operation, request, response);
    const caller = right ? callerOn(response) : anonymous;
    const exchange = { request, response, operation };
    const audited = beginAudit(deps.trail, request, {
      operation,
      caller,
      client: clientOn(response),
    });
    let reply: Reply;
    try {
      reply = await perform(deps, served, { exchange, caller, audited });
    } catch (error) {
      audited.end(endOfRequest(error, request));
      throw error;
    }
    const status = statusOf(exchange, reply);
    const body = reply.kind === 'json' ? reply.body : null;
    if (reply.kind === 'nothing') audited.about(reply.about);
    audited.end({ kind: 'responded', status, code: null }, body);
    await sendReply(exchange, reply);
  };
}

async function perform(
  deps: ServeDeps,
  { operation, route, right }: Served,
  { exchange, caller, audited }: { exchange: Exchange; caller: Caller; audited: AuditedCall },
): Promise<Reply> {
  const { validators } = operation;
  const { request } = exchange;
  let known = right ? requireRight(caller, right) : caller;
  const path = validators.path(request.params as Record<string, string>);
  const query = validators.query(request.query as Record<string, string | string[]>);
  /** The caller as of now. */
  const checkAgain = async (): Promise<Caller> =>
    right ? requireRight(await authenticateAgain(deps, request), right) : caller;
  const received = await route.receive(exchange);
  try {
    known = await checkAgain();
    const call = valid({ path, query, body: received.body });
    audited.about(call.body);
    await audited.stored();
    const reply = await route.handle({ ...call, caller: known, request });
    // Changes cannot be undone; only reads can still be withheld.
    if (!operation.readOnly) return reply;
    const expectAllowed = async (): Promise<void> => expectSameReach(known, await checkAgain());
    await expectAllowed();
    return reply.kind === 'stream' ? whileAllowed(reply, expectAllowed) : reply;
  } finally {
    await received.dispose();
  }
}

/** Validated values of all parts. @throws ValidationError with the problems of all parts */
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
