import type { Checked, ContractOperation } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';
import { hasScope, type Caller } from '../domain/caller';
import { callerOn } from './authenticate';
import type { Call, Reply, Route } from './call';
import { ValidationError } from './errors';
import { sendReply } from './send-reply';

/** Whoever asks where no key is needed. */
const anonymous: Caller = {
  keyId: '',
  keyPrefix: '',
  keyName: null,
  scopes: ['read'],
  projectId: null,
  expiresAt: null,
};

/**
 * The way of every request, once its key was accepted: scope (403) → body (400, 413) → all fields
 * (422) → use case → answer (decisions.md "Which status when").
 */
export function serveOperation(operation: ContractOperation, route: Route): RequestHandler {
  const { validators } = operation;
  return async (request, response) => {
    const caller = route.scopes ? callerOn(response) : anonymous;
    if (route.scopes && !hasScope(caller, route.scopes)) throw new AppError('insufficient_scope');
    const path = validators.path(request.params as Record<string, string>);
    const query = validators.query(request.query as Record<string, string | string[]>);
    const exchange = { request, response, operation };
    const received = await route.receive(exchange);
    let reply: Reply;
    try {
      const call = valid({ path, query, body: received.body });
      reply = await route.handle({ ...call, caller, request });
    } finally {
      await received.dispose();
    }
    await sendReply(exchange, reply);
  };
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
