const text = { type: 'string' } as const;
const listOf = (items: object): object => ({ type: 'array', items });
const named = { type: 'object', properties: { name: text } } as const;

/**
 * The parts of a CycloneDX document that are read. The official schema says of some entries which fields they have, but
 * not that they are objects.
 */
export const USED_PARTS_SCHEMA = {
  type: 'object',
  $defs: {
    component: {
      type: 'object',
      properties: {
        name: text,
        version: text,
        versionRange: text,
        purl: text,
        'bom-ref': text,
        components: listOf({ $ref: '#/$defs/component' }),
        externalReferences: listOf({
          type: 'object',
          properties: { type: text, url: text },
          required: ['type', 'url'],
        }),
      },
    },
  },
  properties: {
    serialNumber: text,
    version: { type: 'integer' },
    metadata: {
      type: 'object',
      properties: {
        timestamp: text,
        component: { $ref: '#/$defs/component' },
        authors: listOf(named),
        supplier: named,
        manufacturer: named,
        manufacture: named,
      },
    },
    components: listOf({ $ref: '#/$defs/component' }),
    vulnerabilities: listOf({
      type: 'object',
      properties: {
        id: text,
        references: listOf({ type: 'object', properties: { id: text }, required: ['id'] }),
        updated: text,
        recommendation: text,
        workaround: text,
        analysis: {
          type: 'object',
          properties: {
            state: text,
            justification: text,
            detail: text,
            response: listOf(text),
            firstIssued: text,
            lastUpdated: text,
          },
        },
        affects: listOf({
          type: 'object',
          properties: {
            ref: text,
            versions: listOf({ type: 'object', properties: { version: text, status: text } }),
          },
          required: ['ref'],
        }),
      },
    }),
  },
};
