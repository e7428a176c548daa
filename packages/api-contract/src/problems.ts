import type { ErrorObject } from 'ajv';
import { oneOfThese, valueError, type Fault } from './fault';
import { formats } from './formats';
import { inputOf } from './problem-input';
import { unknownNames, type Schema } from './schema';
import type { Problem } from './types';

/** Which part of a request was checked, and how the client sent it. */
export interface Source {
  where: 'path' | 'query' | 'body';
  /** Parsed from text (path, query, form), not JSON. */
  text: boolean;
  raw: unknown;
  /** Fields never sent back; if there are any, the part as a whole is not sent back either. */
  secrets: string[];
}

/** Bounds the response: an array may have a million faults. */
const maxProblems = 100;

/** `field`: the fault is in this field of the value that the error points at. */
type Described = Fault & { field?: string };
type Describe = (error: ErrorObject, text: boolean) => Described;

/** Problem for each failed keyword; names and wording follow pydantic v2. */
const table: Record<string, Describe> = {
  required: (error) => ({
    type: 'missing',
    msg: 'Field required',
    field: String(error.params.missingProperty),
  }),
  type: wrongType,
  enum: (error) => notListed(error.schema as unknown[]),
  minLength: ({ params }) => ({
    type: 'string_too_short',
    msg: `String should have at least ${count(params.limit, 'character')}`,
    ctx: { min_length: params.limit },
  }),
  maxLength: ({ params }) => ({
    type: 'string_too_long',
    msg: `String should have at most ${count(params.limit, 'character')}`,
    ctx: { max_length: params.limit },
  }),
  pattern: ({ params }) => ({
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${String(params.pattern)}'`,
    ctx: { pattern: params.pattern as string },
  }),
  minItems: ({ params, data }) => ({
    type: 'too_short',
    msg: `List should have at least ${count(params.limit, 'item')}, not ${(data as unknown[]).length}`,
    ctx: {
      field_type: 'List',
      min_length: params.limit,
      actual_length: (data as unknown[]).length,
    },
  }),
  maxItems: tooManyItems,
  'x-max-recipients': tooManyItems,
  'x-allowed-recipient': () =>
    valueError('the domain of the address is not one to which this server sends alerts'),
  'x-alert-reason': () =>
    valueError(
      'a rule without by_severity needs kev: true, min_epss, reminders: true or installation: true, or it reports nothing',
    ),
  minimum: ({ params }) => ({
    type: 'greater_than_equal',
    msg: `Input should be greater than or equal to ${params.limit}`,
    ctx: { ge: params.limit },
  }),
  maximum: ({ params }) => ({
    type: 'less_than_equal',
    msg: `Input should be less than or equal to ${params.limit}`,
    ctx: { le: params.limit },
  }),
  format: (error) =>
    formats[error.schema as string]?.fault(error.data as string) ?? valueError('is not valid'),
  oneOf: notExactlyOne,
  not: allOfThem,
  'x-future': () => ({ type: 'datetime_future', msg: 'Input should be in the future' }),
  'x-no-other-fields': notAField,
  'x-max-depth': (error) => valueError(`is nested deeper than ${String(error.schema)} levels`),
};

/** Keywords with an entry in the table. */
export const describedKeywords = Object.keys(table);

/** Converts Ajv errors to problems, one per fault; drops errors that follow from another one. */
export function toProblems(errors: ErrorObject[], source: Source): Problem[] {
  const relevant = errors.filter(({ schemaPath }) => !schemaPath.includes('/oneOf/'));
  const wrongTypes = new Set(
    relevant.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  );
  return relevant
    .filter(({ keyword, instancePath }) => keyword === 'type' || !wrongTypes.has(instancePath))
    .slice(0, maxProblems)
    .map((error) => toProblem(error, source));
}

/** The problem of a missing body. */
export function missingBody(): Problem {
  return { loc: ['body'], msg: 'Field required', type: 'missing', input: null };
}

function toProblem(error: ErrorObject, source: Source): Problem {
  const describe: Describe = table[error.keyword] ?? unknownFault;
  const { field, ...fault } = describe(error, source.text);
  const pointer = error.instancePath.split('/').slice(1).map(unescapePointer);
  const loc = field === undefined ? pointer : [...pointer, field];
  return {
    loc: [source.where, ...loc.map((key) => (/^\d+$/.test(key) ? Number(key) : key))],
    msg: fault.msg,
    type: fault.type,
    ...inputUnlessSecret(source, error.keyword === 'required' && !source.text ? pointer : loc),
    ...(fault.ctx && { ctx: fault.ctx }),
  };
}

function inputUnlessSecret({ raw, secrets }: Source, path: string[]): { input?: unknown } {
  const [field] = path;
  const secret = field === undefined ? secrets.length > 0 : secrets.includes(field);
  return secret ? {} : inputOf(raw, path);
}

function wrongType({ parentSchema, schema }: ErrorObject, text: boolean): Fault {
  const { enum: values, format } = parentSchema as Schema;
  if (values) return notListed(values);
  const expected = [schema as string | string[]].flat().find((type) => type !== 'null');
  switch (expected) {
    case 'integer':
      return text
        ? {
            type: 'int_parsing',
            msg: 'Input should be a valid integer, unable to parse string as an integer',
          }
        : { type: 'int_type', msg: 'Input should be a valid integer' };
    case 'boolean':
      return text
        ? {
            type: 'bool_parsing',
            msg: 'Input should be a valid boolean, unable to interpret input',
          }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' };
    case 'object':
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' };
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' };
    case 'number':
      return text
        ? {
            type: 'float_parsing',
            msg: 'Input should be a valid number, unable to parse string as a number',
          }
        : { type: 'float_type', msg: 'Input should be a valid number' };
    default:
      return (
        formats[format ?? '']?.notText ?? {
          type: 'string_type',
          msg: 'Input should be a valid string',
        }
      );
  }
}

function tooManyItems({ params, data }: ErrorObject): Fault {
  const actual = (data as unknown[]).length;
  return {
    type: 'too_long',
    msg: `List should have at most ${count(params.limit, 'item')}, not ${actual}`,
    ctx: { field_type: 'List', max_length: params.limit, actual_length: actual },
  };
}

function notListed(values: unknown[]): Fault {
  const expected = oneOfThese(values.filter((value) => value !== null));
  return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } };
}

/** A misspelt field that is ignored would do less, or select more, than was meant. */
function notAField({ data, parentSchema }: ErrorObject): Described {
  const schema = parentSchema as Schema;
  const [field] = unknownNames(schema, data);
  const fields = Object.keys(schema.properties ?? {}).join(', ');
  return { type: 'extra_forbidden', msg: `There is no such field; there are ${fields}`, field };
}

/** The contract uses `oneOf` only for "exactly one of these fields". */
function notExactlyOne({ schema, params }: ErrorObject): Fault & { field: string } {
  const fields = (schema as Schema[]).flatMap(({ required = [] }) => required);
  const field = String(fields[0]);
  return params.passingSchemas === null
    ? { type: 'missing', msg: `Field required: one of ${oneOfThese(fields)}`, field }
    : { ...valueError(`give only one of ${oneOfThese(fields)}`), field };
}

/** The contract uses `not` only for "not all of these fields together". */
function allOfThem({ schema }: ErrorObject): Fault & { field: string } {
  const { required: fields = [] } = schema as Schema;
  return { ...valueError(`give only one of ${oneOfThese(fields)}`), field: String(fields[0]) };
}

function unknownFault(error: ErrorObject): Fault {
  return valueError(error.message ?? 'is not valid');
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`;
}

function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}
