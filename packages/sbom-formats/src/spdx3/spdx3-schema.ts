/**
 * SPDX 3.0.1 in JSON-LD, as far as we read it: one schema for each kind of element in `Spdx3Elements`, and
 * one for the document around them. Elements may stand anywhere, so each is validated by itself. Fields that
 * we do not read are forgiven, missing or malformed (docs/validation.md "Validation"), so they are not here.
 *
 * Source: SPDX specification 3.0.1, Core (Element, Relationship, ExternalIdentifier, ElementCollection),
 * Software (Package, SoftwareArtifact), SimpleLicensing (LicenseExpression), ExpandedLicensing (LicenseSet,
 * OrLaterOperator, WithAdditionOperator), and annex "Serialization" for `@context` and `@graph`. Where the
 * specification wants a list, one value is accepted too, and `@id` for `spdxId`: the same in JSON-LD.
 */
const text = { type: 'string' } as const;
const reference = { type: ['string', 'object'] } as const;
const references = { type: ['string', 'object', 'array'], items: reference } as const;
const hasId = { anyOf: [{ required: ['spdxId'] }, { required: ['@id'] }] } as const;
const ids = { spdxId: text, '@id': text } as const;

export const SPDX3_SCHEMAS = {
  document: {
    type: 'object',
    properties: { '@graph': { type: ['object', 'array'], items: { type: 'object' } } },
  },
  packages: {
    ...hasId,
    required: ['name'],
    properties: {
      ...ids,
      name: text,
      software_packageVersion: text,
      software_packageUrl: text,
      software_primaryPurpose: text,
      externalIdentifier: {
        type: ['string', 'object', 'array'],
        items: {
          type: ['string', 'object'],
          anyOf: [{ required: ['externalIdentifierType', 'identifier'] }, ...hasId.anyOf],
          properties: { externalIdentifierType: text, identifier: text },
        },
      },
    },
  },
  relationships: {
    required: ['relationshipType', 'from', 'to'],
    properties: { relationshipType: text, from: reference, to: references },
  },
  collections: { properties: { ...ids, rootElement: references } },
  others: {
    properties: {
      ...ids,
      externalIdentifierType: text,
      identifier: text,
      simplelicensing_licenseExpression: text,
      expandedlicensing_member: references,
      expandedlicensing_subjectLicense: reference,
      expandedlicensing_subjectExtendableLicense: reference,
      expandedlicensing_subjectAddition: reference,
    },
  },
} as const;
