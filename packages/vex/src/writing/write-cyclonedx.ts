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
    const { id, name, version, purl, bom } = product;
    const url = bom && `urn:cdx:${bom.serial}/${bom.version}`;
    return {
      type: 'application',
      'bom-ref': id,
      name,
      ...(version !== null && { version }),
      ...(purl !== null && { purl }),
      ...(url && { externalReferences: [{ type: 'bom', url }] }),
      components: [...purls].sort().map((part) => ({
        type: 'library',
        'bom-ref': partRef(product, part),
        name: part,
        purl: part,
      })),
    };
  });
}

function vulnerabilityOf(statement: ExportStatement): object {
  const { vulnerability, decision, justification, detail, product, components } = statement;
  const [id = '', ...others] = vulnerability;
  return {
    'bom-ref': statement.id,
    id,
    ...(others.length > 0 && {
      references: others.map((other) => ({ id: other, source: { name: sourceOf(other) } })),
    }),
    analysis: {
      state: stateMapping(statusOfDecision[decision]).cyclonedx[0],
      ...(decision === 'not_affected' &&
        justification && { justification: cycloneDxJustification(justification) }),
      ...(decision === 'risk_accepted' && { response: ['will_not_fix'] }),
      detail,
      firstIssued: statement.issued_at,
      lastUpdated: statement.updated_at,
    },
    affects: components.map((purl) => ({ ref: partRef(product, purl) })),
  };
}

function sourceOf(id: string): string {
  return id.split('-')[0] ?? id;
}
