import type { VexProduct } from '../vex-document';
import { findNamed, type Named, type PackageIndex } from './match-identifier';

/**
 * Why a statement does not apply to an SBOM, from the farthest to the nearest: of several, the last in this list is
 * given.
 */
export const NOT_APPLICABLE = [
  'no_vulnerability_named',
  'no_product_named',
  'identifier_not_supported',
  'product_not_found',
  'product_version_differs',
  'subcomponent_not_found',
  'subcomponent_version_differs',
  'subcomponent_not_in_product',
  'used_outside_product',
  'not_evaluated',
] as const;
export type NotApplicable = (typeof NOT_APPLICABLE)[number];

/** A package version of an SBOM, whatever its qualifiers. */
export interface CoveredPackage {
  /** `packageIdentity` of its purl. */
  identity: string;
  /** Key of the package that its findings are of; absent: it can have none. */
  package_key?: string;
  version: string;
}

/** What a product of a statement covers in one SBOM. */
export type ProductMatch =
  | { fits: true; covers: 'everything' | CoveredPackage[] }
  | { fits: false; reason: NotApplicable };

/** Steps along the graph for all products of one SBOM together; some seconds. */
const maxSteps = 20_000_000;

/** Matches products with one SBOM; what is inside a product is computed once. */
export interface ProductMatcher {
  match(product: VexProduct): ProductMatch;
}

/**
 * Where products of statements lie in an SBOM (docs/rules.md VX1 to VX8). Pure. A component costs as much as what is
 * below it; once `maxSteps` are used up, further products that are components are `not_evaluated`.
 */
export function createProductMatcher(index: PackageIndex): ProductMatcher {
  const known = new Map<string, Inside>();
  let steps = 0;
  const insideOf = (product: ReadonlySet<string>): Inside => {
    const key = [...product].sort().join('\n');
    const inside = known.get(key) ?? findInside(index, product);
    if (!known.has(key)) steps += inside.steps;
    known.set(key, inside);
    return inside;
  };
  return {
    match(product) {
      const named = findNamed(index, product.identifiers);
      if (named.nearness !== 'found')
        return { fits: false, reason: productReasons[named.nearness] };
      const { roots } = index.structure;
      const isWhole = named.whole || [...named.ids].some((id) => roots.has(id));
      if (isWhole) return matchWhole(index, product);
      if (steps > maxSteps) return { fits: false, reason: 'not_evaluated' };
      return matchComponent(index, product, insideOf(named.ids));
    },
  };
}

function matchWhole(index: PackageIndex, { subcomponents, in_part }: VexProduct): ProductMatch {
  if (subcomponents.length === 0) return { fits: true, covers: 'everything' };
  const parts = subcomponents.map((one) => findNamed(index, one));
  if (parts.some(({ whole }) => whole)) return { fits: true, covers: 'everything' };
  const wanted = new Set(parts.flatMap(({ ids }) => [...ids]));
  if (wanted.size === 0) return { fits: false, reason: partReason(parts) };
  return coveredBy(index, wanted, { in_part, otherwise: 'subcomponent_version_differs' });
}

function matchComponent(
  index: PackageIndex,
  { subcomponents, in_part }: VexProduct,
  { below, exclusive }: Inside,
): ProductMatch {
  const product = in_part ? below : exclusive;
  if (subcomponents.length === 0)
    return coveredBy(index, product, { in_part, otherwise: 'used_outside_product' });
  const parts = subcomponents.map((one) => findNamed(index, one));
  const wanted = [...new Set(parts.flatMap(({ ids }) => [...ids]))];
  if (wanted.length === 0) return { fits: false, reason: partReason(parts) };
  const isReached = wanted.some((id) => below.has(id));
  const inside = new Set(wanted.filter((id) => product.has(id)));
  const otherwise = isReached ? 'used_outside_product' : 'subcomponent_not_in_product';
  return coveredBy(index, inside, { in_part, otherwise });
}

const productReasons = {
  unsupported: 'identifier_not_supported',
  absent: 'product_not_found',
  other_version: 'product_version_differs',
} as const;

function partReason(parts: readonly Named[]): NotApplicable {
  return parts.some(({ nearness }) => nearness === 'other_version')
    ? 'subcomponent_version_differs'
    : 'subcomponent_not_found';
}

/**
 * VX7 A package version is covered if every component of the document with that package and version is named and inside
 * the product: a vulnerability is tracked by package (a Go module, whichever of its packages are listed), so one
 * component elsewhere keeps it open. `in_part`: if any is.
 */
function coveredBy(
  { byTracked, packagesOf }: PackageIndex,
  wanted: ReadonlySet<string>,
  { in_part, otherwise }: { in_part: true | undefined; otherwise: NotApplicable },
): ProductMatch {
  const covers: CoveredPackage[] = [];
  const named = [...wanted].flatMap((id) => packagesOf.get(id) ?? []);
  const packages = new Map(named.map((one) => [one.tracked, one]));
  for (const [tracked, { identity, package_key }] of packages) {
    const open = new Set<string>();
    const versions = new Set<string>();
    for (const { id, version } of byTracked.get(tracked) ?? [])
      (wanted.has(id) ? versions : open).add(version);
    for (const version of versions)
      if (in_part || !open.has(version))
        covers.push({ identity, version, ...(package_key !== null && { package_key }) });
  }
  return covers.length === 0 ? { fits: false, reason: otherwise } : { fits: true, covers };
}

interface Inside {
  /** The product and what is reached from it. */
  below: ReadonlySet<string>;
  /** Of these what nothing outside reaches. */
  exclusive: ReadonlySet<string>;
  steps: number;
}

/**
 * VX6 Inside a product that is a component: the component itself, and what is reached from it (dependencies and nested
 * components) and from nothing that lies outside.
 */
function findInside({ structure, parents }: PackageIndex, product: ReadonlySet<string>): Inside {
  const { children } = structure;
  let steps = 0;
  const below = new Set(product);
  for (const id of below)
    for (const child of children.get(id) ?? []) {
      steps += 1;
      below.add(child);
    }
  const shared = new Set<string>();
  for (const id of below) {
    const above = parents.get(id) ?? [];
    steps += above.length;
    if (!product.has(id) && above.some((parent) => !below.has(parent))) shared.add(id);
  }
  for (const id of shared)
    for (const child of children.get(id) ?? []) {
      steps += 1;
      if (!product.has(child)) shared.add(child);
    }
  return { below, exclusive: new Set([...below].filter((id) => !shared.has(id))), steps };
}
