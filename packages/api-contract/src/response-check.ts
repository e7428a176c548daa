import type { ValidateFunction } from 'ajv';
import { responseAjv } from './ajv';
import type { OperationObject, ResponseObject, Schema } from './schema';
import type { Contract, ContractResponse, ResponseHeaders } from './types';

/**
 * For tests: checks status, body and (if given) headers of a response against the contract.
 * Undeclared fields are problems too.
 *
 * @returns the problems; empty if the response conforms
 */
export function checkResponse(
  contract: Pick<Contract, 'responseProblems'>,
  response: ContractResponse,
): string[] {
  return contract.responseProblems(response);
}

/**
 * Creates the response check. Schemas are compiled on first use: production needs none.
 *
 * @param others responses outside of operations, by status
 */
export function responseChecker(
  operations: Map<string, OperationObject>,
  others: Record<string, ResponseObject>,
): (response: ContractResponse) => string[] {
  const compiled = new Map<string, ValidateFunction>();
  const ajv = responseAjv();

  function problemsOf(subject: { name: string; value: unknown }, schema: Schema): string[] {
    const validate = compiled.get(subject.name) ?? ajv.compile(closed(schema));
    compiled.set(subject.name, validate);
    if (validate(subject.value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${subject.name}: ${instancePath || 'body'} ${message} ${JSON.stringify(params)}`,
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

  return ({ operationId, status, body, headers, otherMediaType = null, checkBody = true }) => {
    const name = `${operationId ?? 'no operation'} ${status}`;
    const responses = operationId === null ? others : operations.get(operationId)?.responses;
    const declared = responses?.[String(status)];
    if (!declared) return [`${name}: the contract does not list it`];
    if (otherMediaType !== null)
      return declared.content?.[otherMediaType] ? [] : [`${name}: should not be ${otherMediaType}`];
    return [
      ...(checkBody ? bodyProblems(name, declared, body) : []),
      ...(headers ? headerProblems(name, declared, headers) : []),
    ];
  };
}

/** The schema without additional properties. */
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
