import type { Identifier, VexProduct } from '../vex-document';
import { identifierOf } from '../identifiers';
import type { CsafBranch, CsafProductName, CsafProductTree } from './csaf-document';

/** Longest chain of relationships that is followed: component, module, platform and the like. */
const maxRelations = 8;

/**
 * Products of a product tree by id. A relationship (CSAF 2.0, section 3.2.2.4) defines a part of a product: its product
 * is what it relates to, its subcomponent what it refers to.
 */
export function productsOf(tree: CsafProductTree): (id: string) => VexProduct | null {
  const named = new Map<string, { product: CsafProductName; version: string | null }>();
  for (const product of tree.full_product_names ?? [])
    named.set(product.product_id, { product, version: null });
  for (const [product, version] of branchProducts(tree.branches ?? []))
    named.set(product.product_id, { product, version });
  const relations = new Map(
    (tree.relationships ?? []).map((one) => [one.full_product_name.product_id, one]),
  );
  const resolve = (id: string, depth: number): VexProduct | null => {
    const known = named.get(id);
    if (known) return productOf(known.product, known.version);
    const relation = relations.get(id);
    if (!relation || depth > maxRelations) return null;
    const part = resolve(relation.product_reference, depth + 1);
    const whole = resolve(relation.relates_to_product_reference, depth + 1);
    if (!part || !whole) return null;
    const parts = part.subcomponents.length > 0 ? part.subcomponents : [part.identifiers];
    return { ...whole, subcomponents: parts };
  };
  return (id) => resolve(id, 0);
}

/** Every product of the branches, with the version that a branch of category `product_version` states. */
function* branchProducts(branches: CsafBranch[]): Generator<[CsafProductName, string | null]> {
  const lists: [CsafBranch[], string | null][] = [[branches, null]];
  for (let next = lists.pop(); next; next = lists.pop()) {
    const [list, above] = next;
    for (const branch of list) {
      const version = branch.category.startsWith('product_version') ? branch.name : above;
      if (branch.product) yield [branch.product, version];
      if (branch.branches) lists.push([branch.branches, version]);
    }
  }
}

function productOf(product: CsafProductName, version: string | null): VexProduct {
  const {
    purl,
    cpe,
    hashes = [],
    x_generic_uris: uris = [],
  } = product.product_identification_helper ?? {};
  const identifiers: Identifier[] = [
    ...(purl === undefined ? [] : [identifierOf(purl)]),
    ...uris.map(({ uri }) => identifierOf(uri)),
    ...(cpe === undefined ? [] : [{ kind: 'cpe' as const, value: cpe }]),
    ...hashes.flatMap(({ file_hashes: files }) =>
      files.map(({ algorithm, value }) => ({
        kind: 'hash' as const,
        value: `${algorithm}:${value}`,
      })),
    ),
    { kind: 'name' as const, value: product.name },
  ];
  return { identifiers, subcomponents: [], ...(version === null ? {} : { versions: [version] }) };
}
