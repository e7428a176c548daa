import type { ErrorObject, ValidateFunction } from 'ajv';

import type { JsonObject } from '../json';

/** Reported errors of a document. */
export const MAX_PATHS = 3;
/** Of one path. */
const MAX_PATH_LETTERS = 160;
/** Reported values of an enumeration; some have dozens. */
const MAX_LISTED_VALUES = 6;

/**
 * Describes at most three validation errors; empty for a valid document. The validator stops at the
 * first error to bound memory; further errors are found by validating the rest of the top-level
 * list. Linear in the document's size.
 */
export function failingPaths(validate: ValidateFunction, document: JsonObject): string[] {
  const paths: string[] = [];
  const skipped = new Map<string, number>();
  let rest = document;
  while (paths.length < MAX_PATHS && !isValid(validate, rest)) {
    const error = deepest(validate.errors ?? []);
    if (error === undefined) break;
    const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
    paths.push(`${pathText(steps, skipped)} ${complaint(error)}`);

    const [listName, index] = steps;
    const list = listName === undefined ? undefined : rest[listName];
    if (listName === undefined || index === undefined || !Array.isArray(list)) break;
    rest = { ...rest, [listName]: list.slice(Number(index) + 1) };
    skipped.set(listName, (skipped.get(listName) ?? 0) + Number(index) + 1);
  }
  return paths;
}

/**
 * The error that got furthest, in words: `statements[0] lacks "status"`.
 *
 * @param above steps to the part of the document that was validated
 */
export function describeSchemaErrors(errors: ErrorObject[], above: readonly string[] = []): string {
  const error = deepest(errors);
  if (error === undefined) return 'the document is not valid';
  const below = error.instancePath.split('/').slice(1).map(unescapePointer);
  return `${shortPath(pathText([...above, ...below], new Map()))} ${complaint(error)}`;
}

/** Elements may be nested without a limit. */
function shortPath(path: string): string {
  const half = MAX_PATH_LETTERS / 2;
  return path.length > MAX_PATH_LETTERS ? `${path.slice(0, half)}…${path.slice(-half)}` : path;
}

/** Returns boolean: Ajv's type guard would narrow the document to never. */
function isValid(validate: ValidateFunction, document: JsonObject): boolean {
  return validate(document);
}

/** Of failed alternatives the one that got furthest was most likely meant. */
function deepest(errors: ErrorObject[]): ErrorObject | undefined {
  let chosen: ErrorObject | undefined;
  for (const error of errors)
    if (chosen === undefined || depth(error) > depth(chosen)) chosen = error;
  return chosen;
}

function depth(error: ErrorObject): number {
  return error.instancePath.split('/').length;
}

/** RFC 6901, section 4. */
function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function pathText(steps: string[], skipped: ReadonlyMap<string, number>): string {
  if (steps.length === 0) return 'the document';
  const offset = skipped.get(steps[0] ?? '') ?? 0;
  return steps
    .map((step, position) => {
      if (!/^\d+$/.test(step)) return position === 0 ? step : `.${step}`;
      return `[${Number(step) + (position === 1 ? offset : 0)}]`;
    })
    .join('');
}

function complaint(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return `lacks ${JSON.stringify(params.missingProperty)}`;
    case 'additionalProperties':
      return `has the unknown field ${JSON.stringify(params.additionalProperty)}`;
    case 'enum':
      return `must be ${allowedText(params.allowedValues)}`;
    case 'oneOf':
      return 'must have exactly one of the forms that the schema allows';
    default:
      return error.message ?? 'is not valid';
  }
}

function allowedText(allowed: unknown): string {
  const words = Array.isArray(allowed) ? allowed.map((word) => JSON.stringify(word)) : [];
  const more = words.length > MAX_LISTED_VALUES ? ', …' : '';
  return `one of ${words.slice(0, MAX_LISTED_VALUES).join(', ')}${more}`;
}
