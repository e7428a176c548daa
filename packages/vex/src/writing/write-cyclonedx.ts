import { statesVersion } from '../identifiers';
import { cycloneDxJustification, stateMapping } from '../mapping';
import {
  inOrder,
  versionOf,
  type ExportDocument,
  type ExportProduct,
  type ExportStatement,
} from './export-document';
import { statusOfDecision } from './write-openvex';

/**
 * Writes CycloneDX 1.6 with `vulnerabilities[].analysis`. Products are components, with their parts nested in them. The
 * same content gives the same document.
 */
export function writeCycloneDxVex(document: ExportDocument): object {
  const statements = inOrder(document.statements);
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${document.id}`,
    version: versionOf(document),
    metadata: {
      timestamp: document.updated_at,
      tools: { components: [{ type: 'application', name: 'bomtrail' }] },
      supplier: { name: document.author },
    },
    components: componentsOf(statements),
    vulnerabilities: statements.map(vulnerabilityOf),
  };
}

const partRef = (product: ExportProduct, purl: string): string => `${product.id}/${purl}`;

function componentsOf(statements: readonly ExportStatement[]): object[] {
  const byProduct = new Map<string, { product: ExportProduct; purls: Set<string> }>();
  for (const { product, components } of statements) {
    const known = byProduct.get(product.id) ?? { product, purls: new Set<string>() };
    for (const purl of components) known.purls.add(purl);
    byProduct.set(product.id, known);
  }
  return [...byProduct.values()].map(({ product, purls }) => {
    return {
      ...productComponent(product),
      components: [...purls].sort().map((part) => ({
        type: 'library',
        'bom-ref': partRef(product, part),
        name: part,
        purl: part,
      })),
    };
  });
}

/**
 * The component of a product. Its version is that of an upload, so it does not stand beside a purl without one, of which
 * it would be read as the package's version.
 */
export function productComponent({ id, name, version, purl, bom }: ExportProduct): object {
  const url = bom && `urn:cdx:${bom.serial}/${bom.version}`;
  return {
    type: 'application',
    'bom-ref': id,
    name,
    ...(version !== null && (purl === null || statesVersion(purl)) && { version }),
    ...(purl !== null && { purl }),
    ...(url && { externalReferences: [{ type: 'bom', url }] }),
  };
}

function vulnerabilityOf(statement: ExportStatement): object {
  const { vulnerability, product, components } = statement;
  return {
    'bom-ref': statement.id,
    ...idsOf(vulnerability),
    analysis: analysisOf(statement),
    affects: components.map((purl) => ({ ref: partRef(product, purl) })),
  };
}

/** `id` and `references` of a vulnerability with these ids, the first of which names it. */
export function idsOf([id = '', ...others]: readonly string[]): { id: string } {
  const references = others.map((other) => ({ id: other, source: { name: sourceOf(other) } }));
  return { id, ...(others.length > 0 && { references }) };
}

/** A decision as an `analysis`. */
export function analysisOf({
  decision,
  justification,
  detail,
  issued_at,
  updated_at,
}: Omit<ExportStatement, 'id' | 'vulnerability' | 'product' | 'components'>): object {
  return {
    state: stateMapping(statusOfDecision[decision]).cyclonedx[0],
    ...(decision === 'not_affected' &&
      justification && { justification: cycloneDxJustification(justification) }),
    ...(decision === 'risk_accepted' && { response: ['will_not_fix'] }),
    detail,
    firstIssued: issued_at,
    lastUpdated: updated_at,
  };
}

function sourceOf(id: string): string {
  return id.split('-')[0] ?? id;
}
