import type { ResolvedDocument } from './schema';

/**
 * A copy of an OpenAPI document with every `$ref` resolved; keywords beside a `$ref` override those
 * of the target. Throws on external references and cycles.
 */
export function dereference(document: object): ResolvedDocument {
  return resolve(document, document, []) as ResolvedDocument;
}

function resolve(root: object, node: unknown, open: string[]): unknown {
  if (Array.isArray(node)) return node.map((item) => resolve(root, item, open));
  if (typeof node !== 'object' || node === null) return node;
  const { $ref: reference, ...own } = node as Record<string, unknown>;
  const resolved = Object.fromEntries(
    Object.entries(own).map(([key, value]) => [key, resolve(root, value, open)]),
  );
  if (typeof reference !== 'string') return resolved;
  if (open.includes(reference)) throw new Error(`openapi.yaml: ${reference} refers to itself`);
  const target = resolve(root, targetOf(root, reference), [...open, reference]);
  return { ...(target as object), ...resolved };
}

function targetOf(root: object, reference: string): unknown {
  if (!reference.startsWith('#/')) throw new Error(`openapi.yaml: cannot follow ${reference}`);
  const target = reference
    .slice(2)
    .split('/')
    .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], root);
  if (target === undefined) throw new Error(`openapi.yaml: ${reference} points to nothing`);
  return target;
}
