import type { JsonObject } from '../json';

/**
 * The last part of a term, whichever way it is written: `software_Package`, `Software/Package` below
 * `https://spdx.org/rdf/3.0.1/terms/`, `software:Package` and `Package` are all `Package`.
 */
export function localName(term: string): string {
  return afterLast(term, '/#:_');
}

/** Linear in any text, which a pattern that ends in `$` is not. */
function afterLast(term: string, delimiters: string): string {
  let start = term.length;
  while (start > 0 && !delimiters.includes(term.charAt(start - 1))) start -= 1;
  return term.slice(start);
}

/** Local names of an element's types: `type`, or its JSON-LD name `@type`; one or several. */
export function typesOf(element: JsonObject): string[] {
  const types = element.type ?? element['@type'];
  if (typeof types === 'string') return [localName(types)];
  return listOf(types)
    .filter((type) => typeof type === 'string')
    .map(localName);
}

/** JSON-LD 1.1, 4.3: a list of one value may be written as the value. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value as unknown[];
  return value === undefined || value === null ? [] : [value];
}

/** `dependsOn` for `dependsOn`, its IRI and the `DEPENDS_ON` that Microsoft's sbom-tool writes. */
export function relationshipWord(type: string): string {
  const name = afterLast(type, '/#:');
  return /^[A-Z_]+$/.test(name)
    ? name.toLowerCase().replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase())
    : name;
}

/** The text of a property; undefined for every other value. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
