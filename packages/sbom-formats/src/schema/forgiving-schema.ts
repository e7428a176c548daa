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
/** docs/validation.md "Validation": forgiven. `uniqueItems` besides costs quadratic time in Ajv. */
const FORGIVEN: ReadonlySet<string> = new Set(['format', 'pattern', 'uniqueItems']);
/** They validate nothing; without them a schema takes a fifth of the space. */
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
/** The enumeration of SPDX licence ids, a file of its own. */
const LICENCE_IDS = /(^|\/)spdx\.[^/]*schema\.json$/;

/**
 * The official schema without what we forgive: additional properties, `format`, `pattern`,
 * `uniqueItems` and unknown licence ids. Every document that the official schema accepts is accepted
 * by the result too: a `oneOf` whose alternatives lost something that told them apart becomes
 * `anyOf`; one that only asks for exactly one of several fields stays.
 */
export function forgivingSchema(official: JsonObject): JsonObject {
  return forgive(official, official);
}

function forgive(schema: JsonObject, document: JsonObject): JsonObject {
  const relaxed: JsonObject = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (isForgiven(keyword, value) || ANNOTATIONS.has(keyword)) continue;
    if (keyword === '$ref' && LICENCE_IDS.test(String(value))) relaxed.type = 'string';
    else if (SCHEMA_MAPS.has(keyword) && isJsonObject(value))
      relaxed[keyword] = forgiveEach(value, document);
    else if (keyword === 'oneOf' && loosens(value, { document, visited: new Set() }))
      relaxed.anyOf = forgiveAny(value, document);
    else relaxed[keyword] = SCHEMAS.has(keyword) ? forgiveAny(value, document) : value;
  }
  return relaxed;
}

function isForgiven(keyword: string, value: unknown): boolean {
  return FORGIVEN.has(keyword) || (keyword === 'additionalProperties' && value === false);
}

function forgiveEach(schemas: JsonObject, document: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, forgiveAny(schema, document)]),
  );
}

function forgiveAny(value: unknown, document: JsonObject): unknown {
  if (Array.isArray(value)) return value.map((schema) => forgiveAny(schema, document));
  return isJsonObject(value) ? forgive(value, document) : value;
}

interface Search {
  document: JsonObject;
  /** References already looked into: the schemas refer to themselves. */
  visited: Set<string>;
}

/** Whether anything below, followed through references, is forgiven. */
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

/** References into other files are taken as loosened: that only ever accepts more. */
function loosensBehind(reference: string, search: Search): boolean {
  if (!reference.startsWith('#/definitions/')) return true;
  if (search.visited.has(reference)) return false;
  search.visited.add(reference);
  const definitions = search.document.definitions;
  const name = reference.slice('#/definitions/'.length);
  return isJsonObject(definitions) && loosens(definitions[name], search);
}
