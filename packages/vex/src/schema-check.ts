import { describeSchemaErrors } from '@bomtrail/sbom-formats';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';
import { isDateTime } from './times';

/** A schema that is compiled with its first document. */
export function lazySchema(source: () => AnySchema): () => ValidateFunction {
  let compiled: ValidateFunction | undefined;
  return () => (compiled ??= newAjv().compile(source()));
}

/** Stops at the first error, which bounds the work on a hostile document. */
function newAjv(): Ajv {
  return new Ajv({
    strict: false,
    validateSchema: false,
    formats: { 'date-time': isDateTime, uri: true, iri: true },
  });
}

/** The first reason why a document does not fit a schema; null if it does. */
export function firstProblem(validate: ValidateFunction, json: unknown): string | null {
  try {
    return (validate(json) as boolean) ? null : describeSchemaErrors(validate.errors ?? []);
  } catch (error) {
    // Compiled schemas recurse into nested branches.
    if (!(error instanceof RangeError)) throw error;
    return 'it is nested too deeply';
  }
}
