import { stateMapping } from '../mapping';
import {
  inOrder,
  productId,
  versionOf,
  type ExportDocument,
  type ExportProduct,
  type ExportStatement,
} from './export-document';
import { statusOfDecision } from './write-openvex';

/** CSAF 2.0, section 3.2.3.2. */
const CVE = /^CVE-\d{4}-\d{4,}$/;

/**
 * Writes CSAF 2.0: the VEX profile, or the base profile without statements, because a VEX document needs one (6.1.27.11).
 * The version is semantic, since numbers would have to begin at 1 and have no gaps (6.1.21). The same content gives the
 * same document.
 */
export function writeCsaf(document: ExportDocument): object {
  const statements = inOrder(document.statements);
  const version = `1.0.${versionOf(document)}`;
  return {
    document: {
      category: statements.length === 0 ? 'csaf_base' : 'csaf_vex',
      csaf_version: '2.0',
      publisher: {
        category: 'vendor',
        name: document.author,
        namespace: document.namespace,
      },
      title: `Vulnerabilities of ${document.title}`,
      tracking: {
        current_release_date: document.updated_at,
        generator: { engine: { name: 'bomtrail' } },
        id: document.id,
        initial_release_date: document.issued_at,
        revision_history: [
          { date: document.updated_at, number: version, summary: 'Current decisions.' },
        ],
        status: 'final',
        version,
      },
    },
    ...(statements.length > 0 && {
      product_tree: productTree(statements),
      vulnerabilities: vulnerabilitiesOf(statements),
    }),
  };
}

const partId = (product: ExportProduct, purl: string): string => `${product.id} ${purl}`;

function productTree(statements: readonly ExportStatement[]): object {
  const names = new Map<string, object>();
  const relationships = new Map<string, object>();
  for (const { product, components } of statements) {
    names.set(product.id, productName(product));
    for (const purl of components) {
      const helper = { product_identification_helper: { purl } };
      names.set(purl, { name: purl, product_id: purl, ...helper });
      const product_id = partId(product, purl);
      relationships.set(product_id, {
        category: 'default_component_of',
        product_reference: purl,
        relates_to_product_reference: product.id,
        full_product_name: { name: `${purl} in ${product.name}`, product_id },
      });
    }
  }
  return {
    full_product_names: [...names.values()],
    relationships: [...relationships.values()],
  };
}

function productName(product: ExportProduct): object {
  const { name, version, purl } = product;
  const uri = productId(product);
  const helper =
    purl !== null
      ? { purl }
      : uri !== null && {
          x_generic_uris: [{ namespace: 'https://cyclonedx.org/capabilities/bomlink/', uri }],
        };
  return {
    name: [name, version].filter(Boolean).join(' '),
    product_id: product.id,
    ...(helper && { product_identification_helper: helper }),
  };
}

/** One entry for each vulnerability (6.1.23), each product part with one status in it (6.1.6). */
function vulnerabilitiesOf(statements: readonly ExportStatement[]): object[] {
  const byName = new Map<string, ExportStatement[]>();
  for (const statement of statements) {
    const name = statement.vulnerability[0] ?? '';
    byName.set(name, [...(byName.get(name) ?? []), statement]);
  }
  return [...byName].map(([name, some]) => vulnerabilityOf(name, some));
}

function vulnerabilityOf(name: string, statements: readonly ExportStatement[]): object {
  const seen = new Set<string>();
  const product_status: Record<string, string[]> = {};
  const flags = new Map<string, string[]>();
  const threats = new Map<string, string[]>();
  const remediations = new Map<string, string[]>();
  for (const statement of statements) {
    const { product, components, decision, justification, detail } = statement;
    const ids = components.map((purl) => partId(product, purl)).filter((id) => !seen.has(id));
    if (ids.length === 0) continue;
    for (const id of ids) seen.add(id);
    const state = stateMapping(statusOfDecision[decision]).csaf[0] ?? '';
    add(product_status, state, ids);
    if (state === 'known_affected') addTo(remediations, detail, ids);
    if (state === 'known_not_affected') addTo(threats, detail, ids);
    if (decision === 'not_affected' && justification) addTo(flags, justification, ids);
  }
  const aliases = [...new Set(statements.flatMap(({ vulnerability }) => vulnerability))];
  const others = aliases.filter((id) => id !== name || !CVE.test(name));
  return {
    ...(CVE.test(name) && { cve: name }),
    ...(others.length > 0 && {
      ids: others.map((text) => ({ system_name: systemOf(text), text })),
    }),
    notes: [{ category: 'description', text: `Decisions about ${name}.` }],
    product_status,
    ...(flags.size > 0 && {
      flags: [...flags].map(([label, product_ids]) => ({ label, product_ids })),
    }),
    ...(threats.size > 0 && {
      threats: [...threats].map(([details, product_ids]) => ({
        category: 'impact',
        details,
        product_ids,
      })),
    }),
    ...(remediations.size > 0 && {
      remediations: [...remediations].map(([details, product_ids]) => ({
        category: 'no_fix_planned',
        details,
        product_ids,
      })),
    }),
  };
}

function add(lists: Record<string, string[]>, key: string, ids: readonly string[]): void {
  lists[key] = [...(lists[key] ?? []), ...ids];
}

function addTo(lists: Map<string, string[]>, key: string, ids: readonly string[]): void {
  lists.set(key, [...(lists.get(key) ?? []), ...ids]);
}

function systemOf(id: string): string {
  return id.includes('-') ? (id.split('-')[0] ?? id) : 'other';
}
