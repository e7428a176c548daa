import { isJsonObject, type JsonObject } from '../json';
import { joinAlternatives, joinLicences, statedLicence } from '../licence-expression';
import type { ElementIds } from './element-ids';
import { listOf, textOf, typesOf } from './terms';

/** Licence sets within sets; more is a cycle or an attack, and its licence unknown. */
const MAX_DEPTH = 32;

/** Characters of all members; a longer expression is not composed, and the licence unknown. */
const MAX_COMPOSED_LETTERS = 16 * 1024;

/** Longer ids name no licence that anybody knows. */
const MAX_ID_LETTERS = 1024;

/** Inside a set; the licence of a set with nothing else is unknown. */
const UNKNOWN = 'NOASSERTION';

/** Reads the licence that references name, all of which apply: one expression, or null if they state nothing. */
export type LicenceReader = (references: readonly unknown[]) => string | null;

/**
 * Reads licence elements: expressions, listed and own licences, sets, "or later" and additions. A licence
 * that the document does not contain is known by its id alone. Each element is read once, so the cost is
 * linear. Source: SPDX 3.0.1, SimpleLicensing and ExpandedLicensing; docs/validation.md P5.
 */
export function licenceTexts(elements: readonly JsonObject[], ids: ElementIds): LicenceReader {
  const byId = new Map<string, JsonObject>();
  for (const element of elements) {
    const id = ids.idOf(element);
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
  }
  const known = new Map<string, string | null>();

  const read = (reference: unknown, depth: number): string | null => {
    const inline = isJsonObject(reference) ? reference : undefined;
    const id = ids.target(reference);
    if (id === undefined) return inline === undefined ? null : readElement(inline, '', depth);
    const before = known.get(id);
    if (before !== undefined) return before;
    // Within itself, a licence is unknown.
    known.set(id, null);
    const element = byId.get(id) ?? inline;
    const text = element === undefined ? textOfId(id) : readElement(element, id, depth);
    known.set(id, text);
    return text;
  };
  const readElement = (element: JsonObject, id: string, depth: number): string | null => {
    if (depth >= MAX_DEPTH) return null;
    const text = composed(element, (reference) => read(reference, depth + 1));
    return text === undefined ? ownText(element, id) : text;
  };
  return (references) => {
    const texts = shortTexts(references, (reference) => read(reference, 0));
    const stated = texts?.map((text) => statedLicence(text ?? undefined)) ?? [];
    return joinLicences(stated.filter((text) => text !== null));
  };
}

/** Of a licence that consists of others, null if unknown; undefined for every other element. */
function composed(
  element: JsonObject,
  read: (reference: unknown) => string | null,
): string | null | undefined {
  const types = typesOf(element);
  const members = (): string[] =>
    shortTexts(listOf(element.expandedlicensing_member), read)?.map((text) => text ?? UNKNOWN) ??
    [];
  if (types.includes('ConjunctiveLicenseSet')) return statedBy(joinLicences(members()));
  if (types.includes('DisjunctiveLicenseSet')) return statedBy(joinAlternatives(members()));
  if (types.includes('OrLaterOperator')) {
    const licence = read(element.expandedlicensing_subjectLicense);
    return licence === null ? null : `${licence}+`;
  }
  if (types.includes('WithAdditionOperator')) {
    const licence = read(element.expandedlicensing_subjectExtendableLicense);
    const addition = read(element.expandedlicensing_subjectAddition);
    return licence === null || addition === null ? licence : `${licence} WITH ${addition}`;
  }
  return undefined;
}

function statedBy(text: string | null): string | null {
  return statedLicence(text ?? undefined);
}

/** Undefined if they are longer than an expression may be. */
function shortTexts(
  references: readonly unknown[],
  read: (reference: unknown) => string | null,
): (string | null)[] | undefined {
  const texts: (string | null)[] = [];
  let letters = 0;
  for (const reference of references) {
    const text = read(reference);
    letters += text?.length ?? UNKNOWN.length;
    if (letters > MAX_COMPOSED_LETTERS && texts.length > 0) return undefined;
    texts.push(text);
  }
  return texts;
}

/** An expression; else the id of a listed or own licence, which stands in expressions; else the name. */
function ownText(element: JsonObject, id: string): string | null {
  const expression = textOf(element.simplelicensing_licenseExpression);
  if (expression !== undefined) return statedLicence(expression);
  return textOfId(id) ?? statedLicence(textOf(element.name));
}

function textOfId(id: string): string | null {
  if (id.length > MAX_ID_LETTERS) return null;
  const listed = /^https?:\/\/(?:www\.)?spdx\.org\/licenses\/([\w.+-]+?)(?:\.html|\.json)?$/.exec(
    id,
  );
  const own = /(?:LicenseRef|AdditionRef)-[\w.-]+$/.exec(id);
  return statedLicence(listed?.[1] ?? own?.[0]);
}
