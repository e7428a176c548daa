import type { ResolvedDocument } from './schema';

/**
 * A copy of an OpenAPI document with every `$ref` resolved; keywords beside a `$ref` override those
 * of the target. What is referred to more than once is resolved once and shared. Throws on external references
 * and cycles.
 */
export function dereference(document: object): ResolvedDocument {
  const open = new Set<string>();
  const targets = new Map<string, object>();

  function resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    const { $ref: reference, ...own } = node as Record<string, unknown>;
    const resolved = Object.fromEntries(
      Object.entries(own).map(([key, value]) => [key, resolve(value)]),
    );
    if (typeof reference !== 'string') return resolved;
    return { ...targetOf(reference), ...resolved };
  }

  function targetOf(reference: string): object {
    const known = targets.get(reference);
    if (known) return known;
    if (open.has(reference)) throw new Error(`openapi.yaml: ${reference} refers to itself`);
    open.add(reference);
    const target = resolve(readTarget(document, reference)) as object;
    open.delete(reference);
    targets.set(reference, target);
    return target;
  }

  return resolve(document) as ResolvedDocument;
}

function readTarget(root: object, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`openapi.yaml: cannot follow ${reference}`);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);
  if (target === undefined) throw new Error(`openapi.yaml: ${reference} points to nothing`);
  return target;
}
