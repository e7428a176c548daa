import type { ExportProduct } from './export-document';
import { analysisOf, idsOf, productComponent } from './write-cyclonedx';

/** A vulnerability of an SBOM. */
export interface DisclosedVulnerability {
  id: string;
  /** Ids of the vulnerability; the first names it. */
  vulnerability: string[];
  title: string | null;
  severity: 'critical' | 'high' | 'medium' | 'low' | 'none' | 'unknown';
  cvss_score: number | null;
  /** Each affected component. */
  components: (DisclosedComponent & { fixed_versions: string[] })[];
  /** Null: nothing is decided. */
  decision: Parameters<typeof analysisOf>[0] | null;
}

/** A component of an SBOM. */
export interface DisclosedComponent {
  name: string;
  version: string;
  purl: string | null;
}

/**
 * The fields of a vulnerability disclosure report (CycloneDX 1.6) about one SBOM, without its components and
 * vulnerabilities, which may be many. The same SBOM and time give the same text.
 */
export function vdrHead(product: ExportProduct, { timestamp }: { timestamp: string }): object {
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${product.id}`,
    version: 1,
    metadata: {
      timestamp,
      tools: { components: [{ type: 'application', name: 'bomtrail' }] },
      component: productComponent(product),
    },
  };
}

/** How the report refers to a component: equal for equal components. */
export function vdrRef({ name, version, purl }: DisclosedComponent): string {
  return purl ?? `${name}@${version}`;
}

/** A component of the report. */
export function vdrComponent(component: DisclosedComponent): object {
  const { name, version, purl } = component;
  return {
    type: 'library',
    'bom-ref': vdrRef(component),
    name,
    ...(version !== '' && { version }),
    ...(purl !== null && { purl }),
  };
}

/** A vulnerability of the report, with its decision as the analysis. */
export function vdrVulnerability(one: DisclosedVulnerability): object {
  const { cvss_score, severity, components, decision } = one;
  const fixes = components.flatMap(({ name, fixed_versions: [first] }) =>
    first === undefined ? [] : [`Update ${name} to ${first}.`],
  );
  const affected = new Map(components.map((component) => [vdrRef(component), component]));
  return {
    'bom-ref': one.id,
    ...idsOf(one.vulnerability),
    ratings: [{ ...(cvss_score !== null && { score: cvss_score }), severity, method: 'other' }],
    ...(one.title && { description: one.title }),
    ...(fixes.length > 0 && { recommendation: [...new Set(fixes)].join(' ') }),
    ...(decision && { analysis: analysisOf(decision) }),
    affects: [...affected].map(([ref, { version }]) => ({
      ref,
      ...(version !== '' && { versions: [{ version, status: 'affected' }] }),
    })),
  };
}
