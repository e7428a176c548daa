import type { Contract } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import { Router, type RequestHandler } from 'express';
import { rightOf } from '../access/domain/operation-rights';
import type { Routes } from './call';
import { serveOperation, type ServeDeps } from './pipeline';

export interface RouterDeps extends ServeDeps {
  contract: Contract;
  routes: Routes;
}

/**
 * Routes the operations of the contract. An unsupported method of a known path is 405, HEAD is GET
 * without body, OPTIONS lists the methods.
 */
export function contractRouter(deps: RouterDeps): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, methods] of methodsByPath(deps)) {
    router.all(path.replace(/\{(\w+)\}/g, ':$1'), dispatch(methods));
  }
  return router;
}

/** Fixed paths before paths with parameters: `/sboms/upload` is not a `{sbom_id}`. */
function methodsByPath(deps: RouterDeps): [string, Map<string, RequestHandler>][] {
  const { contract, routes } = deps;
  const byPath = new Map<string, Map<string, RequestHandler>>();
  for (const [operationId, route] of Object.entries(routes)) {
    const operation = contract.operations.get(operationId);
    if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
    const methods = byPath.get(operation.path) ?? new Map<string, RequestHandler>();
    byPath.set(
      operation.path,
      methods.set(
        operation.method,
        serveOperation(deps, { operation, route, right: rightOf(operationId) }),
      ),
    );
  }
  return [...byPath].sort(([one], [other]) => parametersIn(one) - parametersIn(other));
}

function dispatch(methods: Map<string, RequestHandler>): RequestHandler {
  const served = [...methods.keys()].flatMap((method) =>
    method === 'GET' ? ['GET', 'HEAD'] : [method],
  );
  const allow = [...served, 'OPTIONS'].join(', ');
  return (request, response, next) => {
    const handler = methods.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler) return handler(request, response, next);
    response.set('Allow', allow);
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed');
    response.status(204).end();
  };
}

function parametersIn(path: string): number {
  return path.split('{').length - 1;
}
