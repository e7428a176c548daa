import { isJsonObject, type JsonObject } from '../json';
import type { Expansion } from './expansion-limit';
import { listOf, textOf } from './terms';

/** A prefix may be written with another one; a chain of more is a cycle or a joke. */
const MAX_PREFIX_DEPTH = 10;

/** Makes one of the ways in which a document writes an id. */
export interface ElementIds {
  /** The full id of an element. */
  idOf(element: JsonObject): string | undefined;
  /** The full id that a reference names: an id, or an element that stands inline. */
  target(reference: unknown): string | undefined;
}

/**
 * Expands compact ids with the prefixes of `@context` (JSON-LD 1.1, 5.2.2 and 5.2.5). Other ids stay as they
 * are: also those that are no IRIs, which tools write. Prefixes of `namespaceMap` are no part of ids.
 */
export function elementIds(document: JsonObject, expansion: Expansion): ElementIds {
  const prefixes = prefixesOf(document['@context']);
  const expanded = new Map<string, string>();
  const expand = (id: string): string => {
    if (prefixes.size === 0) return id;
    const known = expanded.get(id);
    if (known !== undefined) return known;
    const full = expandOnce(id, prefixes) ?? id;
    if (full === id) return id;
    expansion.add(full.length);
    expanded.set(id, full);
    return full;
  };
  const idOf = (element: JsonObject): string | undefined => {
    const id = textOf(element.spdxId) ?? textOf(element['@id']);
    return id === undefined ? undefined : expand(id);
  };
  return {
    idOf,
    target: (reference) => {
      if (typeof reference === 'string') return expand(reference);
      return isJsonObject(reference) ? idOf(reference) : undefined;
    },
  };
}

function prefixesOf(context: unknown): Map<string, string> {
  const prefixes = new Map<string, string>();
  for (const entry of listOf(context)) {
    if (!isJsonObject(entry)) continue;
    for (const [prefix, definition] of Object.entries(entry)) {
      const namespace = isJsonObject(definition) ? definition['@id'] : definition;
      if (!prefix.startsWith('@') && typeof namespace === 'string') prefixes.set(prefix, namespace);
    }
  }
  for (const [prefix, namespace] of prefixes) prefixes.set(prefix, resolve(namespace, prefixes));
  return prefixes;
}

/** Longer than any address: such a prefix multiplies a document rather than naming something. */
const MAX_NAMESPACE_LETTERS = 4096;

function resolve(namespace: string, prefixes: ReadonlyMap<string, string>): string {
  let full = namespace;
  for (let depth = 0; depth < MAX_PREFIX_DEPTH; depth += 1) {
    const next = full.length > MAX_NAMESPACE_LETTERS ? undefined : expandOnce(full, prefixes);
    if (next === undefined) return full;
    full = next;
  }
  return namespace;
}

function expandOnce(id: string, prefixes: ReadonlyMap<string, string>): string | undefined {
  const colon = id.indexOf(':');
  if (colon < 0 || id.startsWith('//', colon + 1)) return undefined;
  const namespace = prefixes.get(id.slice(0, colon));
  return namespace === undefined ? undefined : namespace + id.slice(colon + 1);
}
