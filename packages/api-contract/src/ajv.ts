import Ajv2020, { type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020';
import { emailAddressFault } from './email-address';
import { formats } from './formats';
import { depthOf } from './free-object';
import { instantFault, toUtc } from './instant';
import { isAllowedRecipient } from './recipient-domains';
import { webhookUrlFault } from './webhook-url';

const annotations = ['x-additive', 'x-trim', 'x-when-empty', 'x-when-blank', 'x-open-values'];

/** What the check of requests depends on beside the contract. */
export interface RequestRules {
  /** The clock for `x-future`; the system's when omitted. */
  now?: () => Date;
  /** The format `webhook-url` lets `http` and internal addresses pass, too; false when omitted. */
  allowPrivateWebhooks?: boolean;
  /** Recipients that a rule may name, below the contract's own bound; that bound when omitted. */
  mostRecipients?: number;
  /** Domains of recipients that rules may name, as `mailDomainsOf` gives them; all when omitted or empty. */
  recipientDomains?: readonly string[];
}

/**
 * The validator of requests: all errors of a value, and the contract's own keywords: `x-future`, `x-max-depth`, and
 * those that stand for what the deployment allows, `x-max-recipients` and `x-allowed-recipient`. Strict, so that a keyword that is misspelt in `openapi.yaml` fails the first use, and a test.
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
  addRecipientRules(ajv, rules);
  return ajv;
}

/** What another keyword of the contract says of a value already is not said again. */
function addRecipientRules(ajv: Ajv2020, rules: RequestRules): void {
  const { mostRecipients: most = Infinity, recipientDomains: domains = [] } = rules;
  function isCountAllowed(_schema: unknown, value: unknown[], parent?: AnySchemaObject): boolean {
    const isAllowed = value.length <= most || value.length > (parent?.['maxItems'] as number);
    isCountAllowed.errors = isAllowed
      ? []
      : [{ keyword: 'x-max-recipients', params: { limit: most } }];
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

/** The validator of responses: requests' own keywords are mere notes there. */
export function responseAjv(): Ajv2020 {
  const ajv = contractAjv();
  ajv.addVocabulary(['x-future', 'x-max-depth', 'x-max-recipients', 'x-allowed-recipient']);
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
