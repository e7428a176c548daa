import type { ValidateFunction } from 'ajv';
import { responseAjv } from './ajv';
import type { OperationObject, ResponseObject, Schema } from './schema';
import type { Contract, ContractResponse, ResponseHeaders } from './types';

/**
 * For tests: checks a response against the contract of its operation and status: the body and, when
 * they are given, the headers. Stricter than a client should be: a field that the contract does not
 * name is a problem, too.
 *
 * @returns the problems; none when the response is as the contract says
 */
export function checkResponse(
  contract: Pick<Contract, 'responseProblems'>,
  response: ContractResponse,
): string[] {
  return contract.responseProblems(response);
}

/**
 * Makes the check over these operations. A schema is compiled when it is first needed: a running
 * product needs none.
 *
 * @param others what answers a request that no operation takes, by status
 */
export function responseChecker(
  operations: Map<string, OperationObject>,
  others: Record<string, ResponseObject>,
): (response: ContractResponse) => string[] {
  const compiled = new Map<string, ValidateFunction>();
  const ajv = responseAjv();

  function problemsOf(at: { name: string; value: unknown }, schema: Schema): string[] {
    const validate = compiled.get(at.name) ?? ajv.compile(closed(schema));
    compiled.set(at.name, validate);
    if (validate(at.value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${at.name}: ${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
    );
  }

  function bodyProblems(name: string, declared: ResponseObject, body: unknown): string[] {
    const schema = declared.content?.['application/json']?.schema;
    if (schema) return problemsOf({ name, value: body }, schema);
    return [undefined, null, ''].includes(body as null) ? [] : [`${name}: should have no body`];
  }

  function headerProblems(
    name: string,
    declared: ResponseObject,
    headers: ResponseHeaders,
  ): string[] {
    return Object.entries(declared.headers ?? {}).flatMap(([header, { required, schema }]) => {
      const text = headers.get(header);
      if (text === null) return required ? [`${name}: lacks the header ${header}`] : [];
      const value = schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
      return problemsOf({ name: `${name} ${header}`, value }, schema);
    });
  }

  return ({ operationId, status, body, headers, checkBody = true }) => {
    const name = `${operationId ?? 'no operation'} ${status}`;
    const responses = operationId === null ? others : operations.get(operationId)?.responses;
    const declared = responses?.[String(status)];
    if (!declared) return [`${name}: the contract does not list it`];
    return [
      ...(checkBody ? bodyProblems(name, declared, body) : []),
      ...(headers ? headerProblems(name, declared, headers) : []),
    ];
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
