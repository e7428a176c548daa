/**
 * SPDX 2.2 and 2.3 in JSON, as far as we read it: the fields that `spdx-document.ts` declares, their
 * types, and which of them are required. Fields that we do not read are forgiven, missing or
 * malformed (docs/validation.md "Validation"), so they are not here.
 *
 * Source: SPDX specification 2.3, clauses 6.3 (document SPDXID), 7.1 (package name), 7.2 (package
 * SPDXID), 7.3 (version), 7.13 and 7.15 (concluded and declared licence), 7.21 (external reference),
 * 7.24 (primary purpose) and 11.1 (relationship); 2.2 has the same under 2.3, 3.1, 3.2, 3.3, 3.13,
 * 3.15, 3.21 and 7.1. Licences are mandatory in 2.2 and optional since 2.3: here they are optional
 * in both, because 2.2 documents without them are common and the answer for an absent licence is
 * the same as for NOASSERTION.
 */
export const SPDX_SCHEMA = {
  type: 'object',
  required: ['spdxVersion', 'SPDXID'],
  properties: {
    spdxVersion: { type: 'string' },
    SPDXID: { type: 'string' },
    documentDescribes: { type: 'array', items: { type: 'string' } },
    packages: { type: 'array', items: { $ref: '#/definitions/package' } },
    relationships: { type: 'array', items: { $ref: '#/definitions/relationship' } },
  },
  definitions: {
    package: {
      type: 'object',
      required: ['SPDXID', 'name'],
      properties: {
        SPDXID: { type: 'string' },
        name: { type: 'string' },
        versionInfo: { type: 'string' },
        licenseConcluded: { type: 'string' },
        licenseDeclared: { type: 'string' },
        primaryPackagePurpose: { type: 'string' },
        externalRefs: { type: 'array', items: { $ref: '#/definitions/externalRef' } },
      },
    },
    externalRef: {
      type: 'object',
      required: ['referenceType', 'referenceLocator'],
      properties: {
        referenceType: { type: 'string' },
        referenceLocator: { type: 'string' },
      },
    },
    relationship: {
      type: 'object',
      required: ['spdxElementId', 'relatedSpdxElement', 'relationshipType'],
      properties: {
        spdxElementId: { type: 'string' },
        relatedSpdxElement: { type: 'string' },
        relationshipType: { type: 'string' },
      },
    },
  },
} as const;
