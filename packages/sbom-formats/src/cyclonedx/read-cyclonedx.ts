import type { JsonObject } from '../json';
import { joinLicences, statedLicence } from '../licence-expression';
import type { Dependency, ListedDependencies } from '../normalised-sbom';
import { isSamePackage, namePackage, type NamedPackage } from '../package-naming';
import { sourceOfProperties } from '../source-package';
import { walkComponents } from './component-walk';
import type { CycloneDxComponent, CycloneDxDocument } from './cyclonedx-document';

interface ListedComponent {
  component: CycloneDxComponent;
  named: NamedPackage;
}

/**
 * Reads the dependencies and the root of a validated CycloneDX document, unsorted and with
 * duplicates. Source: docs/validation.md P1.
 */
export function readCycloneDx(document: JsonObject): ListedDependencies {
  const { metadata, dependencies = [] } = document as CycloneDxDocument;
  const listed = listComponents(document);
  const root = metadata?.component;
  const isRoot = root === undefined ? () => false : rootTest(root);

  const parts = listed.filter((entry) => !isRoot(entry));
  const rootRefs = new Set([root?.['bom-ref'], ...listed.filter(isRoot).map(refOf)]);
  rootRefs.delete(undefined);

  const partRefs = new Set(parts.map(refOf));
  const directRefs = new Set<string | undefined>();
  for (const { ref, dependsOn = [] } of dependencies)
    if (rootRefs.has(ref))
      for (const target of dependsOn) if (partRefs.has(target)) directRefs.add(target);

  const isDirect = (entry: ListedComponent): boolean =>
    directRefs.size === 0 || directRefs.has(refOf(entry));
  const rootEntries =
    root === undefined
      ? []
      : [{ component: root, named: namePackage(root) }, ...listed.filter(isRoot)];
  return {
    dependencies: parts.map((entry) => dependencyOf(entry, isDirect(entry))),
    roots: rootEntries.map((entry) => dependencyOf(entry, true)),
  };
}

function dependencyOf({ component, named }: ListedComponent, isDirect: boolean): Dependency {
  return {
    name: named.name,
    version: named.version,
    purl: named.purl,
    type: component.type,
    license: licenceOf(component),
    is_direct: isDirect,
    ...sourceOf(component),
  };
}

function sourceOf({ properties }: CycloneDxComponent): Pick<Dependency, 'source_package'> {
  const source = properties === undefined ? null : sourceOfProperties(properties);
  return source === null ? {} : { source_package: source };
}

function listComponents(document: JsonObject): ListedComponent[] {
  const listed: ListedComponent[] = [];
  for (const found of walkComponents(document)) {
    const component = found as unknown as CycloneDxComponent;
    listed.push({ component, named: namePackage(component) });
  }
  return listed;
}

function refOf({ component }: ListedComponent): string | undefined {
  return component['bom-ref'];
}

/**
 * Recognises the root in the list of components: equal purl, name and version, or the root's
 * bom-ref and name without contradictions. The bom-ref alone is not enough: documents reuse it.
 */
function rootTest(root: CycloneDxComponent): (entry: ListedComponent) => boolean {
  const named = namePackage(root);
  return (entry) =>
    isSamePackage(entry.named, named) ||
    (root['bom-ref'] !== undefined &&
      refOf(entry) === root['bom-ref'] &&
      entry.component.name === root.name &&
      agree(entry.component.group, root.group) &&
      agree(entry.named.version, named.version) &&
      agree(entry.named.purl, named.purl));
}

/** Equal, or one of them is absent. */
function agree(one: string | null | undefined, other: string | null | undefined): boolean {
  return !one || !other || one === other;
}

function licenceOf({ licenses = [] }: CycloneDxComponent): string | null {
  const stated = licenses.flatMap(({ license, expression }) => {
    const text = statedLicence(expression ?? license?.id ?? license?.name);
    return text === null ? [] : [text];
  });
  return joinLicences(stated);
}
