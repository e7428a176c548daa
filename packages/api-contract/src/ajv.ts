import Ajv2020 from 'ajv/dist/2020';
import { formats } from './formats';
import { depthOf } from './free-object';
import { instantFault, toUtc } from './instant';
import { webhookUrlFault } from './webhook-url';

const annotations = ['x-additive', 'x-trim', 'x-when-empty', 'x-when-blank', 'x-open-values'];

/** What the check of requests depends on beside the contract. */
export interface RequestRules {
  /** The clock for `x-future`; the system's when omitted. */
  now?: () => Date;
  /** The format `webhook-url` lets `http` and internal addresses pass, too; false when omitted. */
  allowPrivateWebhooks?: boolean;
}

/**
 * The validator of requests: all errors of a value, and the contract's own keywords `x-future` and
 * `x-max-depth`. Strict, so that a keyword that is misspelt in `openapi.yaml` fails the first use, and a test.
 */
export function requestAjv(rules: RequestRules = {}): Ajv2020 {
  const { now = () => new Date(), allowPrivateWebhooks = false } = rules;
  const ajv = contractAjv();
  if (allowPrivateWebhooks) {
    const isFine = (text: string) => webhookUrlFault(text, { anyAddress: true }) === undefined;
    ajv.addFormat('webhook-url', { type: 'string', validate: isFine });
  }
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
