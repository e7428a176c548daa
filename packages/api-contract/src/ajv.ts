import Ajv2020, { type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020';
import { emailAddressFault } from './email-address';
import { formats } from './formats';
import { depthOf } from './free-object';
import { instantFault, toUtc } from './instant';
import { isAllowedRecipient } from './recipient-domains';
import { unknownNames, type Schema } from './schema';
import { webhookUrlFault } from './webhook-url';

const annotations = ['x-additive', 'x-trim', 'x-when-empty', 'x-when-blank', 'x-open-values'];

/** Settings of request validation besides the contract. */
export interface RequestRules {
  /** Clock for `x-future`; default: the system clock. */
  now?: () => Date;
  /** Whether `webhook-url` accepts `http` and internal addresses; default: false. */
  allowPrivateWebhooks?: boolean;
  /** Maximum recipients per rule, below the contract's bound; default: that bound. */
  maxRecipients?: number;
  /** Allowed recipient domains, as `mailDomainsOf` returns them; default or empty: all. */
  recipientDomains?: readonly string[];
}

/**
 * Ajv for requests: reports all errors of a value and knows the contract's keywords `x-future`,
 * `x-max-depth`, `x-no-other-fields`, `x-max-recipients`, `x-allowed-recipient` and
 * `x-alert-reason`. Strict: a misspelt keyword in `openapi.yaml` fails on first use.
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
  ajv.addKeyword({
    keyword: 'x-no-other-fields',
    type: 'object',
    schemaType: 'boolean',
    validate: (_schema: boolean, value: object, parent?: AnySchemaObject) =>
      unknownNames(parent as Schema, value).length === 0,
  });
  addRecipientRules(ajv, rules);
  ajv.addKeyword({
    keyword: 'x-alert-reason',
    type: 'object',
    schemaType: 'boolean',
    validate: (_schema: boolean, config: Readonly<Record<string, unknown>>) =>
      config['by_severity'] !== false ||
      config['kev'] === true ||
      config['reminders'] === true ||
      config['installation'] === true ||
      (config['min_epss'] ?? null) !== null,
  });
  return ajv;
}

/** Neither rule repeats an error that another keyword already reports. */
function addRecipientRules(ajv: Ajv2020, rules: RequestRules): void {
  const { maxRecipients: max = Infinity, recipientDomains: domains = [] } = rules;
  function isCountAllowed(_schema: unknown, value: unknown[], parent?: AnySchemaObject): boolean {
    const isAllowed = value.length <= max || value.length > (parent?.['maxItems'] as number);
    isCountAllowed.errors = isAllowed
      ? []
      : [{ keyword: 'x-max-recipients', params: { limit: max } }];
    return isAllowed;
  }
  isCountAllowed.errors = [] as Partial<ErrorObject>[];
  ajv.addKeyword({ keyword: 'x-max-recipients', type: 'array', validate: isCountAllowed });
  ajv.addKeyword({
    keyword: 'x-allowed-recipient',
    type: 'string',
    schemaType: 'boolean',
    validate: (_schema: boolean, value: string) =>
      emailAddressFault(value) !== undefined || isAllowedRecipient(value, domains),
  });
}

/** Ajv for responses: request-only keywords are annotations. */
export function responseAjv(): Ajv2020 {
  const ajv = contractAjv();
  ajv.addVocabulary(['x-future', 'x-max-depth', 'x-max-recipients', 'x-allowed-recipient']);
  ajv.addVocabulary(['x-alert-reason', 'x-no-other-fields']);
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
