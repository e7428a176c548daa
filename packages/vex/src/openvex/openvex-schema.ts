import { JUSTIFICATIONS } from '../mapping';

/**
 * OpenVEX specification 0.2.0, sections "The VEX Document", "VEX Statements", "Product", "Subcomponent" and
 * "Vulnerability": fields, required ones and values. Unknown fields are refused, as the official schema does.
 */

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const positive = { type: 'integer', minimum: 1 } as const;

const identifiers = {
  type: 'object',
  properties: { purl: text, cpe22: text, cpe23: text },
  additionalProperties: false,
  minProperties: 1,
} as const;

const hashNames = [
  ...(['md5', 'sha1', 'sha-256', 'sha-384', 'sha-512'] as const),
  ...(['sha3-224', 'sha3-256', 'sha3-384', 'sha3-512'] as const),
  ...(['blake2s-256', 'blake2b-256', 'blake2b-512'] as const),
];
const hashes = {
  type: 'object',
  properties: Object.fromEntries(hashNames.map((name) => [name, text])),
  additionalProperties: false,
};

const identified = { anyOf: [{ required: ['@id'] }, { required: ['identifiers'] }] } as const;
const subcomponent = {
  type: 'object',
  properties: { '@id': text, identifiers, hashes },
  additionalProperties: false,
  ...identified,
};
const product = {
  ...subcomponent,
  properties: {
    ...subcomponent.properties,
    subcomponents: { type: 'array', items: subcomponent },
  },
};

const vulnerability = {
  type: 'object',
  properties: {
    '@id': text,
    name: text,
    description: text,
    aliases: { type: 'array', items: text },
  },
  required: ['name'],
  additionalProperties: false,
};

const ifStatus = (status: string, then: object): object => ({
  if: { properties: { status: { const: status } } },
  then,
});

const statementFields = {
  '@id': text,
  version: positive,
  timestamp: time,
  last_updated: time,
  status: { enum: ['not_affected', 'affected', 'fixed', 'under_investigation'] },
  supplier: text,
  status_notes: text,
  justification: { enum: JUSTIFICATIONS },
  impact_statement: text,
  action_statement: text,
  action_statement_timestamp: time,
};

const documentFields = {
  '@context': text,
  '@id': text,
  author: text,
  role: text,
  timestamp: time,
  last_updated: time,
  tooling: text,
};

export const OPENVEX_SCHEMA = {
  type: 'object',
  properties: {
    ...documentFields,
    version: positive,
    statements: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          ...statementFields,
          vulnerability,
          products: { type: 'array', items: product },
        },
        required: ['vulnerability', 'status'],
        additionalProperties: false,
        allOf: [
          ifStatus('not_affected', {
            anyOf: [{ required: ['justification'] }, { required: ['impact_statement'] }],
          }),
          ifStatus('affected', { required: ['action_statement'] }),
        ],
      },
    },
  },
  required: ['@context', '@id', 'author', 'timestamp', 'version', 'statements'],
  additionalProperties: false,
};

/** OpenVEX specification 0.0.1: vulnerability, products and subcomponents are text, the version may be;
 * tools of that time wrote fields of their own. */
export const OPENVEX_001_SCHEMA = {
  type: 'object',
  properties: {
    ...documentFields,
    version: { type: ['string', 'integer'] },
    statements: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: {
          ...statementFields,
          vulnerability: text,
          vuln_description: text,
          products: { type: 'array', items: text },
          subcomponents: { type: 'array', items: text },
        },
        required: ['vulnerability', 'status'],
      },
    },
  },
  required: ['@context', '@id', 'author', 'statements'],
};
