import type { ValidateFunction } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';
import { valueError } from './fault';
import { normalise, prepare } from './prepare';
import { missingBody, toProblems, type Source } from './problems';
import { repeatedProblems, unknownProblems } from './query-names';
import { unknownNames, type OperationObject, type Schema } from './schema';
import type { Checked, OperationValidators, Problem } from './types';

type Check = (raw: unknown) => Checked<Record<string, unknown>>;

/**
 * The validators of one operation, compiled on first use to keep the start fast. Undeclared fields
 * are ignored, except query parameters of an additive operation: a mistyped filter would return too
 * much (docs/rules.md H6).
 */
export function operationValidators(ajv: Ajv2020, operation: OperationObject): OperationValidators {
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const form = content['multipart/form-data']?.schema;
  const checkBody = json && check(ajv, json, { where: 'body', text: false });
  return {
    path: check(ajv, parametersSchema(operation, 'path'), { where: 'path', text: true }),
    ...queryValidators(ajv, operation),
    form: formValidator(ajv, operation, textFields(form ?? { type: 'object' })),
    body: (raw) => {
      if (!checkBody) return { ok: true, value: undefined };
      return raw === undefined ? { ok: false, problems: [missingBody()] } : checkBody(raw);
    },
    ignoredFields: (raw) => unknownNames(json ?? form ?? {}, raw),
  };
}

function queryValidators(
  ajv: Ajv2020,
  operation: OperationObject,
): Pick<OperationValidators, 'query' | 'ignoredQuery'> {
  const schema = parametersSchema(operation, 'query');
  const isAdditive = operation['x-additive'] === true;
  const checkValues = checkOnce(ajv, schema, 'query');
  return {
    query: (raw) => {
      const values = checkValues(raw);
      const unknown = isAdditive ? unknownProblems(schema, raw) : [];
      if (values.ok && unknown.length === 0) return values;
      return { ok: false, problems: [...(values.ok ? [] : values.problems), ...unknown] };
    },
    ignoredQuery: (raw) => (isAdditive ? [] : unknownNames(schema, raw)),
  };
}

/**
 * Undeclared fields of a form are ignored, but those of an additive operation that are its query parameters are refused: a
 * gate that a client sends there would be laxer than it asked for.
 */
function formValidator(
  ajv: Ajv2020,
  operation: OperationObject,
  schema: Schema,
): OperationValidators['form'] {
  const { properties: parameters = {} } = parametersSchema(operation, 'query');
  const isMisplaced = (name: string): boolean =>
    operation['x-additive'] === true &&
    Object.hasOwn(parameters, name) &&
    !Object.hasOwn(schema.properties ?? {}, name);
  const checkFields = checkOnce(ajv, schema, 'body');
  return (raw) => {
    const fields = checkFields(raw);
    const misplaced = Object.keys(raw).filter(isMisplaced);
    if (misplaced.length === 0) return fields;
    const fault = valueError('this is a query parameter, not a form field');
    const problems = misplaced.map((name): Problem => ({ loc: ['body', name], ...fault }));
    return { ok: false, problems: [...(fields.ok ? [] : fields.problems), ...problems] };
  };
}

/** Checks texts of which each may be given once, unless its format is a list. */
function checkOnce(
  ajv: Ajv2020,
  schema: Schema,
  where: 'query' | 'body',
): (raw: Record<string, unknown>) => Checked<Record<string, unknown>> {
  const checkValues = check(ajv, schema, { where, text: true });
  return (raw) => {
    const repeated = repeatedProblems(schema, raw, where);
    const names = new Set(repeated.map(({ loc }) => loc[1]));
    const values = checkValues(raw);
    const wrong = values.ok ? [] : values.problems.filter(({ loc }) => !names.has(loc[1]));
    const problems = [...wrong, ...repeated];
    return values.ok && problems.length === 0 ? values : { ok: false, problems };
  };
}

function check(ajv: Ajv2020, schema: Schema, part: Omit<Source, 'raw' | 'secrets'>): Check {
  let validate: ValidateFunction | undefined;
  const secrets = secretFields(schema);
  return (raw) => {
    validate ??= ajv.compile(schema);
    const prepared = prepare(schema, raw, part.text);
    const faults = validate(prepared)
      ? []
      : toProblems(validate.errors ?? [], { ...part, raw, secrets });
    const known = new Set(faults.map(({ loc }) => loc[1]));
    const broken = brokenText(prepared, part).filter(({ loc }) => !known.has(loc[1]));
    const problems = [...faults, ...broken];
    if (problems.length > 0) return { ok: false, problems };
    return { ok: true, value: normalise(schema, prepared) as Record<string, unknown> };
  };
}

function parametersSchema(operation: OperationObject, where: 'path' | 'query'): Schema {
  const exactlyOneOf = operation['x-exactly-one-of'];
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === where);
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    ...(where === 'query' && exactlyOneOf
      ? { oneOf: exactlyOneOf.map((name) => ({ required: [name] })) }
      : {}),
  };
}

/** A form's schema without its file parts, which are read separately. */
function textFields(form: Schema): Schema {
  const fields = Object.entries(form.properties ?? {});
  const files = fields.filter(([, field]) => field.contentMediaType).map(([name]) => name);
  return {
    ...form,
    properties: Object.fromEntries(fields.filter(([name]) => !files.includes(name))),
    required: (form.required ?? []).filter((name) => !files.includes(name)),
  };
}

/** `writeOnly` fields: problems must not repeat their values. */
function secretFields(schema: Schema): string[] {
  const fields = Object.entries(schema.properties ?? {});
  return fields.filter(([, field]) => field.writeOnly === true).map(([name]) => name);
}

/** Half of a surrogate pair. */
const halfPair = /\p{Surrogate}/u;
/** Replaces invalid UTF-8 in a decoded query or form. */
const replacement = /\uFFFD/;

/**
 * Problems of strings that are not valid Unicode: half of a surrogate pair in JSON (`"\ud800"`),
 * which the database would alter, or a query or form in another encoding.
 */
function brokenText(prepared: unknown, { where, text }: Pick<Source, 'where' | 'text'>): Problem[] {
  if (typeof prepared !== 'object' || prepared === null) return [];
  const broken = text ? replacement : halfPair;
  return Object.entries(prepared)
    .filter(([, value]) => typeof value === 'string' && broken.test(value))
    .map(([name]) => ({
      loc: [where, name],
      msg: 'Input should be a valid string, unable to parse raw data as a unicode string',
      type: 'string_unicode',
    }));
}
