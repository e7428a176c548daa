import { requestAjv, type RequestRules } from './ajv';
import { dereference } from './dereference';
import { openapiDocument } from './document';
import { operationValidators } from './operation-validators';
import { responseChecker } from './response-check';
import type { OperationObject, ResolvedDocument } from './schema';
import type { Contract, ContractOperation } from './types';

/**
 * Reads the contract and creates the validators of every operation. Throws if `openapi.yaml` has an
 * operation that this package cannot handle.
 *
 * @param options settings of request validation
 * @param options.document another contract, for tests; default: `openapi.yaml`
 */
export function loadContract(options: RequestRules & { document?: object } = {}): Contract {
  const document = options.document ?? openapiDocument();
  const resolved = dereference(document);
  const ajv = requestAjv(options);
  const operations = new Map<string, ContractOperation>();
  const objects = new Map<string, OperationObject>();
  for (const { method, path, operation } of operationsOf(resolved)) {
    const { operationId } = operation;
    if (operations.has(operationId))
      throw new Error(`openapi.yaml: duplicate operationId ${operationId}`);
    objects.set(operationId, operation);
    operations.set(operationId, {
      operationId,
      method: method.toUpperCase(),
      path,
      readOnly: method === 'get' || operation['x-read-only'] === true,
      secured: (operation.security ?? resolved.security ?? []).length > 0,
      validators: operationValidators(ajv, operation),
      successStatus: successStatusOf(operation),
      removalDate: removalDateOf(operation),
    });
  }
  const others = resolved['x-other-responses'] ?? {};
  return { document, operations, responseProblems: responseChecker(objects, others) };
}

/** Every operation, with the shared parameters of its path before its own. */
export function operationsOf(
  document: ResolvedDocument,
): { method: string; path: string; operation: OperationObject }[] {
  return Object.entries(document.paths).flatMap(([path, { parameters = [], ...methods }]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, own]) => ({
      method,
      path,
      operation: { ...own, parameters: [...parameters, ...(own.parameters ?? [])] },
    })),
  );
}

function successStatusOf(operation: OperationObject): number {
  const successes = Object.keys(operation.responses).filter((status) => status.startsWith('2'));
  if (successes.length !== 1) {
    throw new Error(`openapi.yaml: ${operation.operationId} needs exactly one 2xx response`);
  }
  return Number(successes[0]);
}

/**
 * Date of removal of a deprecated operation; throws unless `deprecated` and `x-removal-date` are
 * both present or both absent.
 */
function removalDateOf(operation: OperationObject): string | null {
  const { operationId, deprecated = false, 'x-removal-date': date } = operation;
  if (!deprecated && date === undefined) return null;
  if (!deprecated || date === undefined || !isCalendarDate(date)) {
    throw new Error(
      `openapi.yaml: ${operationId} needs deprecated: true and x-removal-date: YYYY-MM-DD, both or neither`,
    );
  }
  return date;
}

function isCalendarDate(text: string): boolean {
  const midnight = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(`${text}T`);
}
