import type { ContractOperation } from './types';

/** Finds the operation of a request. `path`: percent-encoded URL path without query. */
export type FindOperation = (method: string, path: string) => ContractOperation | undefined;

/**
 * Finds operations like the gateway's router: fixed paths before paths with parameters
 * (`/sboms/upload` is not a `{sbom_id}`), the first matching path decides, `HEAD` counts as `GET`.
 */
export function operationFinder(operations: Iterable<ContractOperation>): FindOperation {
  const byPath = new Map<string, Map<string, ContractOperation>>();
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<string, ContractOperation>();
    byPath.set(operation.path, methods.set(operation.method, operation));
  }
  const paths = [...byPath]
    .sort(([one], [other]) => parametersIn(one) - parametersIn(other))
    .map(([template, methods]) => ({ pattern: patternOf(template), methods }));

  return (method, path) => {
    const found = paths.find(({ pattern }) => pattern.test(path));
    return found?.methods.get(method === 'HEAD' ? 'GET' : method);
  };
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function parametersIn(template: string): number {
  return template.split('{').length - 1;
}
