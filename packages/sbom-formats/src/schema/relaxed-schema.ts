import { isJsonObject, type JsonObject } from '../json';

/** Keywords of draft-07 whose value is a map of names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(['definitions', 'properties']);
/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalItems',
  'allOf',
  'anyOf',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'then',
]);
/** docs/validation.md "Validation": not checked. `uniqueItems` also takes quadratic time in Ajv. */
const FORGIVEN: ReadonlySet<string> = new Set(['format', 'pattern', 'uniqueItems']);
/** Keywords without effect on validation; without them a schema takes a fifth of the space. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'examples',
  'meta:enum',
  'title',
]);
/** The enumeration of SPDX licence ids, a separate file. */
const LICENCE_IDS = /(^|\/)spdx\.[^/]*schema\.json$/;

/**
 * Relaxes the official schema: allows additional properties and unknown licence ids, and ignores
 * `format`, `pattern` and `uniqueItems`. The result accepts every document that the official schema
 * accepts: a `oneOf` whose alternatives can no longer be distinguished becomes `anyOf`; one that
 * requires exactly one of several fields stays.
 */
export function relaxedSchema(official: JsonObject): JsonObject {
  return forgive(official, official);
}

function forgive(schema: JsonObject, document: JsonObject): JsonObject {
  const relaxed: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isForgiven(keyword, value) || ANNOTATIONS.has(keyword)) continue;
    if (keyword === '$ref' && LICENCE_IDS.test(String(value))) relaxed.type = 'string';
    else if (SCHEMA_MAPS.has(keyword) && isJsonObject(value))
      relaxed[keyword] = relaxEach(value, document);
    else if (keyword === 'oneOf' && loosens(value, { document, visited: new Set() }))
      relaxed.anyOf = relaxAny(value, document);
    else relaxed[keyword] = SCHEMAS.has(keyword) ? relaxAny(value, document) : value;
  }
  return relaxed;
}

function isForgiven(keyword: string, value: unknown): boolean {
  return FORGIVEN.has(keyword) || (keyword === 'additionalProperties' && value === false);
}

function relaxEach(schemas: JsonObject, document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, relaxAny(schema, document)]),
  );
}

function relaxAny(value: unknown, document: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((schema) => relaxAny(schema, document));
  return isJsonObject(value) ? forgive(value, document) : value;
}

interface Search {
  document: JsonObject;
  /** Visited references: the schemas are recursive. */
  visited: Set<string>;
}

/** Whether anything below is relaxed, including references. */
function loosens(value: unknown, search: Search): boolean {
  if (Array.isArray(value)) return value.some((schema) => loosens(schema, search));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([keyword, inner]) => {
    if (isForgiven(keyword, inner)) return true;
    if (keyword === '$ref') return loosensBehind(String(inner), search);
    if (SCHEMA_MAPS.has(keyword) && isJsonObject(inner))
      return Object.values(inner).some((schema) => loosens(schema, search));
    return SCHEMAS.has(keyword) && loosens(inner, search);
  });
}

/** References into other files count as relaxed, which only accepts more. */
function loosensBehind(reference: string, search: Search): boolean {
  if (!reference.startsWith('#/definitions/')) return true;
  if (search.visited.has(reference)) return false;
  search.visited.add(reference);
  const definitions = search.document.definitions;
  const name = reference.slice('#/definitions/'.length);
  return isJsonObject(definitions) && loosens(definitions[name], search);
}
