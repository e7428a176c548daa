import type { ValidateFunction } from 'ajv';
import { responseAjv } from './ajv';
import type { OperationObject, Schema } from './schema';
import type { Contract, ContractResponse } from './types';

/**
 * For tests: checks the body of a response against the contract of its operation and status.
 * Stricter than a client should be: a field that the contract does not name is a problem, too.
 *
 * @returns the problems; none when the response is as the contract says
 */
export function checkResponse(
  contract: Pick<Contract, 'responseProblems'>,
  response: ContractResponse,
): string[] {
  return contract.responseProblems(response);
}

/** Makes the check over these operations. A schema is compiled when it is first needed: a running product needs none. */
export function responseChecker(
  operations: Map<string, OperationObject>,
): (response: ContractResponse) => string[] {
  const compiled = new Map<string, ValidateFunction>();
  const ajv = responseAjv();

  return ({ operationId, status, body }) => {
    const name = `${operationId} ${status}`;
    const declared = operations.get(operationId)?.responses[String(status)];
    if (!declared) return [`${name}: the contract does not list it`];
    const schema = declared.content?.['application/json']?.schema;
    if (!schema) {
      return [undefined, null, ''].includes(body as null) ? [] : [`${name}: should have no body`];
    }
    const validate = compiled.get(name) ?? ajv.compile(closed(schema));
    compiled.set(name, validate);
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${name}: ${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
    );
  };
}

/** The schema without room for fields that it does not name. */
function closed(schema: Schema): Schema {
  const closedSchema: Schema = { ...schema };
  if (schema.items) closedSchema.items = closed(schema.items);
  if (schema.anyOf) closedSchema.anyOf = schema.anyOf.map(closed);
  if (schema.properties) {
    closedSchema.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [name, closed(field)]),
    );
    closedSchema.additionalProperties ??= false;
  }
  return closedSchema;
}
