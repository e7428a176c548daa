import Ajv2020 from 'ajv/dist/2020';
import { formats } from './formats';
import { depthOf } from './free-object';
import { instantFault, toUtc } from './instant';

const annotations = ['x-additive', 'x-trim', 'x-when-empty', 'x-when-blank', 'x-open-values'];

/**
 * The validator of requests: all errors of a value, and the contract's own keywords `x-future` and
 * `x-max-depth`. Strict, so that a keyword that is misspelt in `openapi.yaml` stops the start.
 *
 * @param now the clock for `x-future`
 */
export function requestAjv(now: () => Date): Ajv2020 {
  const ajv = contractAjv();
  ajv.addKeyword({
    keyword: 'x-future',
    type: 'string',
    schemaType: 'boolean',
    validate: (_schema: boolean, value: string) =>
      instantFault(value) !== undefined || new Date(toUtc(value)) > now(),
  });
  ajv.addKeyword({
    keyword: 'x-max-depth',
    type: 'object',
    schemaType: 'number',
    validate: (max: number, value: object) => depthOf(value, max) <= max,
  });
  return ajv;
}

/** The validator of responses: requests' own keywords are mere notes there. */
export function responseAjv(): Ajv2020 {
  const ajv = contractAjv();
  ajv.addVocabulary(['x-future', 'x-max-depth']);
  return ajv;
}

function contractAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
  });
  ajv.addVocabulary(annotations);
  for (const [name, format] of Object.entries(formats)) {
    ajv.addFormat(name, { type: 'string', validate: (text) => format.fault(text) === undefined });
  }
  return ajv;
}
