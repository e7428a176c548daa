import { parsePurl } from '@bomtrail/purl';
import { identifierOf, limitedTo, namingNothing, serialOf } from '../identifiers';
import type { Identifier, VexProduct, VexStatus } from '../vex-document';
import { readVersions } from './affected-versions';
import type {
  CycloneDxAffected,
  CycloneDxVex,
  CycloneDxVexComponent,
} from './cyclonedx-vex-document';

/** What a statement of a status is about. */
export type ProductResolver = (affected: CycloneDxAffected, status: VexStatus) => VexProduct;

/**
 * What `affects[].ref` names: a BOM-Link, a component of the document itself (which lies in the document's root, else in
 * the component around it), or else whatever the text identifies.
 */
export function productsOf(document: CycloneDxVex): ProductResolver {
  const root = document.metadata?.component;
  const serial = serialOf(document.serialNumber ?? '');
  const version = document.version ?? 1;
  const components = componentsByRef(document);
  const identifiersOf = (component: CycloneDxVexComponent, ref: string | null): Identifier[] => {
    const { name, purl, version: own, versionRange, externalReferences = [] } = component;
    const named: Identifier[] = [
      ...(purl === undefined ? [] : limitedTo([identifierOf(purl)], own ? [own] : null)),
      ...externalReferences
        .filter(({ type, url }) => type === 'bom' && /^urn:(cdx|uuid):/i.test(url))
        .map(({ url }) => identifierOf(url)),
      ...(serial === null ? [] : [{ kind: 'bom' as const, serial, version, ref }]),
      { kind: 'name', value: name },
    ];
    return !own && versionRange ? limitedTo(named, []) : named;
  };
  return ({ ref, versions = [] }, status) => {
    const isRoot = root !== undefined && root['bom-ref'] === ref;
    const { component: listed, within } = components.get(ref) ?? {};
    const found = isRoot ? root : listed;
    const whole = isRoot || !found ? undefined : (root ?? within);
    const named = found ? identifiersOf(found, isRoot ? null : ref) : [identifierOf(ref)];
    const stated = statedVersions(named, found);
    const { limits, decides } = readVersions(versions, status);
    const ofStated = decides(stated) ? named : namingNothing(named);
    const identifiers = stated.length === 0 ? limitedTo(named, limits) : ofStated;
    if (!whole) return { identifiers, subcomponents: [] };
    const wholeRef = root ? null : (whole['bom-ref'] ?? null);
    return { identifiers: identifiersOf(whole, wholeRef), subcomponents: [identifiers] };
  };
}

function statedVersions(
  named: readonly Identifier[],
  component: CycloneDxVexComponent | undefined,
): string[] {
  const inPurls = named.map((one) => (one.kind === 'purl' ? parsePurl(one.value)?.version : null));
  return [component?.version, ...inPurls].flatMap((one) => one || []);
}

/** A component, and the outermost one that contains it. */
interface Placed {
  component: CycloneDxVexComponent;
  within?: CycloneDxVexComponent;
}

function componentsByRef(document: CycloneDxVex): Map<string, Placed> {
  const byRef = new Map<string, Placed>();
  const outermost = [
    ...(document.components ?? []),
    ...(document.metadata?.component?.components ?? []),
  ];
  const queue: Placed[] = outermost.map((component) => ({ component }));
  for (const placed of queue) {
    const { component, within = component } = placed;
    const ref = component['bom-ref'];
    if (ref !== undefined) byRef.set(ref, placed);
    for (const part of component.components ?? []) queue.push({ component: part, within });
  }
  return byRef;
}
