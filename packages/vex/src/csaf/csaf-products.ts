import type { Identifier, VexProduct } from '../vex-document';
import { identifierOf, limitedTo } from '../identifiers';
import type { CsafBranch, CsafProductName, CsafProductTree } from './csaf-document';

/** A product that the tree names. */
interface Named {
  product: CsafProductName;
  /** Those that its branch states, none for a range; null: no branch states any. */
  versions: string[] | null;
}

/**
 * Products of a product tree by id. A relationship (CSAF 2.0, section 3.2.2.4) defines a part of a product: its product
 * is what it relates to, its subcomponent what it refers to. Parts of parts have no counterpart in `VexProduct`, so
 * they are named by their name only, which is never matched.
 */
export function productsOf(tree: CsafProductTree): (id: string) => VexProduct {
  const named = new Map<string, Named>();
  for (const product of tree.full_product_names ?? [])
    named.set(product.product_id, { product, versions: null });
  for (const one of branchProducts(tree.branches ?? [])) named.set(one.product.product_id, one);
  const relations = new Map(
    (tree.relationships ?? []).map((one) => [one.full_product_name.product_id, one]),
  );
  return (id) => {
    const known = named.get(id);
    if (known) return { identifiers: identifiersOf(known), subcomponents: [] };
    const relation = relations.get(id);
    const part = relation && named.get(relation.product_reference);
    const whole = relation && named.get(relation.relates_to_product_reference);
    if (part && whole)
      return { identifiers: identifiersOf(whole), subcomponents: [identifiersOf(part)] };
    const name = relation?.full_product_name.name ?? id;
    return { identifiers: [{ kind: 'name', value: name }], subcomponents: [] };
  };
}

/** Every product of the branches, with the versions that the innermost branch about versions states. */
function* branchProducts(branches: CsafBranch[]): Generator<Named> {
  const lists: [CsafBranch[], string[] | null][] = [[branches, null]];
  for (let next = lists.pop(); next; next = lists.pop()) {
    const [list, above] = next;
    for (const { category, name, product, branches: inner } of list) {
      const own = category === 'product_version' ? [name] : above;
      const versions = category === 'product_version_range' ? [] : own;
      if (product) yield { product, versions };
      if (inner) lists.push([inner, versions]);
    }
  }
}

function identifiersOf({ product, versions }: Named): Identifier[] {
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
  return limitedTo(identifiers, versions);
}
