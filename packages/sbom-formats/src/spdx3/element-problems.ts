import type { ValidateFunction } from 'ajv';
import type { JsonObject } from '../json';
import { describeSchemaErrors, MAX_PATHS } from '../schema/failing-paths';
import { stepsTo, type Spdx3Elements } from './collect-elements';
import type { SPDX3_SCHEMAS } from './spdx3-schema';

/** The compiled schemas of SPDX 3. */
export type Spdx3Validators = Record<keyof typeof SPDX3_SCHEMAS, ValidateFunction>;

/**
 * Describes at most three errors, e.g. `@graph[2].externalIdentifier[0] lacks "identifier"`; empty
 * for a valid document. Linear in the document.
 */
export function elementProblems(
  document: JsonObject,
  elements: Spdx3Elements,
  validators: Spdx3Validators,
): string[] {
  const problems = problemsIn(document, [document], validators.document);
  for (const kind of ['packages', 'relationships', 'collections', 'others'] as const) {
    if (problems.length >= MAX_PATHS) break;
    problems.push(...problemsIn(document, elements[kind], validators[kind]));
  }
  return problems.slice(0, MAX_PATHS);
}

function problemsIn(
  document: JsonObject,
  elements: readonly JsonObject[],
  validate: ValidateFunction,
): string[] {
  const problems: string[] = [];
  for (const element of elements) {
    if (isValid(validate, element)) continue;
    problems.push(describeSchemaErrors(validate.errors ?? [], stepsTo(document, element)));
    if (problems.length === MAX_PATHS) break;
  }
  return problems;
}

/** Returns boolean: Ajv's type guard would narrow the element to never. */
function isValid(validate: ValidateFunction, element: JsonObject): boolean {
  return validate(element);
}
