import { stateMapping } from '../mapping';
import type { VexStatus } from '../vex-document';
import {
  inOrder,
  productId,
  versionOf,
  type ExportDocument,
  type ExportStatement,
} from './export-document';

/** The status that a decision is written as (docs/vex.md "States"). */
export const statusOfDecision: Readonly<Record<ExportStatement['decision'], VexStatus>> = {
  not_affected: 'not_affected',
  false_positive: 'false_positive',
  in_triage: 'under_investigation',
  risk_accepted: 'affected',
};

/** Writes OpenVEX 0.2.0. The same content gives the same document. */
export function writeOpenVex(document: ExportDocument): object {
  return {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': `urn:uuid:${document.id}`,
    author: document.author,
    role: 'Document Creator',
    timestamp: document.issued_at,
    last_updated: document.updated_at,
    version: versionOf(document),
    tooling: 'bomtrail',
    statements: inOrder(document.statements).map(statementOf),
  };
}

function statementOf(statement: ExportStatement): object {
  const { vulnerability, decision, justification, detail, product } = statement;
  const [name = '', ...aliases] = vulnerability;
  const status = stateMapping(statusOfDecision[decision]).openvex[0];
  return {
    '@id': `urn:uuid:${statement.id}`,
    vulnerability: { name, ...(aliases.length > 0 && { aliases }) },
    timestamp: statement.issued_at,
    last_updated: statement.updated_at,
    products: [
      {
        '@id': productId(product) ?? `urn:uuid:${product.id}`,
        subcomponents: statement.components.map((purl) => ({ '@id': purl })),
      },
    ],
    status,
    ...(status === 'not_affected' && {
      ...(decision === 'not_affected' && justification && { justification }),
      impact_statement: detail,
    }),
    ...(status === 'affected' && { action_statement: detail }),
    ...(status === 'under_investigation' && { status_notes: detail }),
  };
}
