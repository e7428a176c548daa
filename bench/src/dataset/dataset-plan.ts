import { documentBytes, type CycloneDxDocument } from '../sboms/cyclonedx-document';
import { generatedDocument } from '../sboms/generated-document';
import { withNewVersions } from '../sboms/variants';

/** A group of services that grew from the same template: they share the component set of each release. */
export interface Family {
  number: number;
  services: number;
}

/** What a dataset is made of: each service has one SBOM of each release, in order. */
export interface DatasetPlan {
  families: Family[];
  releases: number;
}

/** A package and how many services hold it. */
export interface ContainedPackage {
  name: string;
  serviceCount: number;
}

const releases = 5;
const families = 40;
/** Half of the dataset: every second family, the last one in the place of the first. */
const isWide = (family: number): boolean =>
  (family >= 2 && family % 2 === 0) || family === families - 1;
const baseSize = 198;
const newVersionsPerRelease = 20;

/**
 * A dataset of about `sboms` SBOMs (at least 400) over 200 component sets: 40 families with five
 * releases each. The first family has half as many services as the others, the second half as many more.
 */
export function planDataset(sboms: number): DatasetPlan {
  const each = Math.max(2, Math.round(sboms / families / releases));
  const small = Math.floor(each / 2);
  const sizes = Array.from({ length: families }, (_, number) =>
    number === 0 ? small : number === 1 ? 2 * each - small : each,
  );
  return { families: sizes.map((services, number) => ({ number, services })), releases };
}

/** The package that only the first family holds. */
export function rarePackage(plan: DatasetPlan): ContainedPackage {
  return { name: familyPackage(0), serviceCount: plan.families[0]?.services ?? 0 };
}

/** The package that every second family holds, half of the services. */
export function widePackage(plan: DatasetPlan): ContainedPackage {
  const wide = plan.families.filter(({ number }) => isWide(number));
  return {
    name: 'example.com/dataset/wide',
    serviceCount: wide.reduce((sum, { services }) => sum + services, 0),
  };
}

/** The document that every service of the family uploads for a release (0, 1, …); always the same bytes. */
export function datasetDocument(family: number, release: number): Buffer {
  const serial = family * releases + release;
  const base = generatedDocument(baseSize);
  const document = withNewVersions(base, { serial, count: newVersionsPerRelease });
  const own = [familyPackage(family), 'example.com/dataset/common'];
  if (isWide(family)) own.push('example.com/dataset/wide');
  return documentBytes(withModules(document, own, `v1.${release + 1}.0`));
}

/** Names of the made-up modules that all documents hold. */
export function baseModules(): { name: string }[] {
  return generatedDocument(baseSize).components.filter(({ name }) =>
    name.startsWith('example.com/bench/module-'),
  );
}

function familyPackage(family: number): string {
  return `example.com/dataset/family-${family}`;
}

function withModules(
  document: CycloneDxDocument,
  names: readonly string[],
  version: string,
): CycloneDxDocument {
  const added = names.map((name) => {
    const purl = `pkg:golang/${name}@${version}`;
    return { 'bom-ref': purl, type: 'library', name, version, purl };
  });
  return { ...document, components: [...document.components, ...added] };
}
