import { isJsonObject, listOf, localName, typesOf, type JsonObject } from '@bomtrail/sbom-formats';
import type { Justification } from '@bomtrail/messages';
import { identifierOf, limitedTo } from '../identifiers';
import { utc } from '../times';
import type { VexProduct, VexStatement, VexStatus } from '../vex-document';

/** The assessments of the security profile. Source: SPDX 3.0.1, profile Security. */
const statuses: Readonly<Record<string, VexStatus>> = {
  VexNotAffectedVulnAssessmentRelationship: 'not_affected',
  VexAffectedVulnAssessmentRelationship: 'affected',
  VexFixedVulnAssessmentRelationship: 'fixed',
  VexUnderInvestigationVulnAssessmentRelationship: 'under_investigation',
};

const justifications: Readonly<Record<string, Justification>> = {
  componentNotPresent: 'component_not_present',
  vulnerableCodeNotPresent: 'vulnerable_code_not_present',
  vulnerableCodeNotInExecutePath: 'vulnerable_code_not_in_execute_path',
  vulnerableCodeCannotBeControlledByAdversary: 'vulnerable_code_cannot_be_controlled_by_adversary',
  inlineMitigationsAlreadyExist: 'inline_mitigations_already_exist',
};

const identifierTypes = ['cve', 'securityOther', 'other'];

/** The assessments of a SPDX 3 document about its own packages, which are named by their purls. */
export function readSpdx3Statements(document: JsonObject): VexStatement[] {
  const elements = [document, ...listOf(document['@graph'])].filter(isJsonObject);
  const byId = new Map(elements.flatMap((one) => listed(one, idOf(one))));
  return elements.flatMap((element): VexStatement[] => {
    const type = typesOf(element).find((one) => statuses[one] !== undefined);
    const status = type === undefined ? undefined : statuses[type];
    if (status === undefined) return [];
    const words = listOf(property(element, 'justificationType')).map(wordOf);
    const justification = words.flatMap((one) => justifications[one] ?? [])[0] ?? null;
    const from = referenceOf(property(element, 'from'));
    const products = listOf(property(element, 'to')).map((to) => productOf(byId, to));
    return [
      {
        vulnerability: from === null ? [] : namesOf(byId.get(from)),
        products: products.filter(({ identifiers }) => identifiers.length > 0),
        status,
        justification: status === 'not_affected' ? justification : null,
        written: { state: status, justification: words[0] ?? null },
        detail: textOf(property(element, 'impactStatement') ?? property(element, 'statusNotes')),
        action: textOf(property(element, 'actionStatement')),
        timestamp: timeOf(element, byId),
      },
    ];
  });
}

function listed<Value>(value: Value, key: string | null): [string, Value][] {
  return key === null ? [] : [[key, value]];
}

/** A property, with the prefix of its profile or without one. */
function property(element: JsonObject, name: string): unknown {
  const key = Object.keys(element).find((one) => localName(one) === name);
  return key === undefined ? undefined : element[key];
}

function idOf(element: JsonObject): string | null {
  return textOf(element.spdxId ?? element['@id']);
}

/** A reference to an element, or the element itself in place of it. */
function referenceOf(value: unknown): string | null {
  const [first] = listOf(value);
  return isJsonObject(first) ? idOf(first) : textOf(first);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? localName(value) : '';
}

/** The ids of a vulnerability: its external identifiers, and its name. */
function namesOf(vulnerability: JsonObject | undefined): string[] {
  if (!vulnerability) return [];
  const external = listOf(property(vulnerability, 'externalIdentifier')).filter(isJsonObject);
  const ids = external
    .filter((one) => identifierTypes.includes(wordOf(property(one, 'externalIdentifierType'))))
    .flatMap((one) => textOf(property(one, 'identifier')) ?? []);
  return [...new Set([...ids, ...listOf(textOf(vulnerability.name))])] as string[];
}

function productOf(byId: ReadonlyMap<string, JsonObject>, to: unknown): VexProduct {
  const id = referenceOf(to);
  const element = id === null ? undefined : byId.get(id);
  const external = element
    ? listOf(property(element, 'externalIdentifier')).filter(isJsonObject)
    : [];
  const purls = [
    ...listOf(textOf(element && property(element, 'packageUrl'))),
    ...external
      .filter((one) =>
        ['packageUrl', 'purl'].includes(wordOf(property(one, 'externalIdentifierType'))),
      )
      .map((one) => textOf(property(one, 'identifier'))),
  ];
  const named = purls.filter((one): one is string => typeof one === 'string');
  const version = textOf(element && property(element, 'packageVersion'));
  const identifiers = [...new Set(named)].map(identifierOf);
  return {
    identifiers: limitedTo(identifiers, version === null ? null : [version]),
    subcomponents: [],
  };
}

/** When the assessment was published, else created. */
function timeOf(element: JsonObject, byId: ReadonlyMap<string, JsonObject>): string | null {
  const published =
    textOf(property(element, 'modifiedTime')) ?? textOf(property(element, 'publishedTime'));
  const info = property(element, 'creationInfo');
  const created = isJsonObject(info) ? info : byId.get(textOf(info) ?? '');
  return utc(published ?? textOf(created && property(created, 'created')) ?? undefined);
}
