import { createHash } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { packageIdentity, parsePurl } from '@bomtrail/purl';
import { writeVex, type ExportProduct, type ExportStatement, type VexFormat } from '@bomtrail/vex';
import { maySee, type Caller } from '../api-keys/domain/caller';
import { namesOf, type NamingDeps } from '../projects/service-names';
import { contentOf, decisionsOf } from './decisions-of';
import { decidedRows, tooMuch, type DecidedRow, type ExportScope } from './decided-rows';

/** SBOMs that one export names; each is read by ingest. */
const maxSboms = 500;
const sbomsAtOnce = 8;

export interface VexExport extends ExportScope {
  format: VexFormat;
}

/**
 * Writes what is decided about the vulnerabilities of the newest SBOMs of a project or service, or of one SBOM, as a VEX
 * document. Equal decisions about equal SBOMs give the same text.
 *
 * @throws AppError `project_not_found`, `service_not_found`; `no_decisions` where the format needs a statement; those of
 *   `decidedRows`
 */
export async function exportVex(
  deps: NamingDeps,
  caller: Caller,
  { format, ...scope }: VexExport,
): Promise<string> {
  const { project_id, service_id = '', sbom_id } = scope;
  if (!maySee(caller, project_id)) throw new AppError('project_not_found');
  const named = { project_id, project_slug: null };
  const { body: project } = await deps.request(messages.getProject, named);
  if (service_id !== '') await expectService(deps, { service_id, project_id });
  const rows = await decidedRows(deps, caller, { scope, project_name: project.name });
  if (rows.length === 0 && format === 'openvex') throw new AppError('no_decisions');
  const [decisions, products] = await Promise.all([
    decisionsOf(deps, project_id, new Set(rows.map(({ decision }) => decision.acceptance_id))),
    productsOf(deps, rows),
  ]);
  const statements = rows.flatMap((row) => statementOf(row, { decisions, products }) ?? []);
  const times = statements.flatMap(({ issued_at, updated_at }) => [issued_at, updated_at]).sort();
  const created = [...products.values()].map(({ created_at }) => created_at);
  return writeVex(format, {
    id: sbom_id === undefined ? uuidOf(project_id, service_id) : uuidOf(project_id, '', sbom_id),
    title: project.name,
    author: project.name,
    namespace: `urn:uuid:${project_id}`,
    issued_at: times[0] ?? project.created_at,
    updated_at: [...times, ...created].sort().at(-1) ?? project.created_at,
    statements,
  });
}

/** Whose document would otherwise state nothing, like that of a service without decisions. */
async function expectService(
  deps: NamingDeps,
  { service_id, project_id }: { service_id: string; project_id: string },
): Promise<void> {
  const service = (await namesOf(deps, [service_id])).get(service_id);
  if (service?.project_id !== project_id) throw new AppError('service_not_found');
}

type Product = ExportProduct & { created_at: string };

/** The newest SBOMs by id, with what identifies them. */
async function productsOf(
  deps: { request: Request },
  rows: readonly DecidedRow[],
): Promise<Map<string, Product>> {
  const bySbom = new Map(rows.map((row) => [row.sbom_id, row]));
  if (bySbom.size > maxSboms) throw tooMuch();
  const products = new Map<string, Product>();
  const left = bySbom.values();
  async function work(): Promise<void> {
    for (const row of left) {
      const product = await productOf(deps, row);
      if (product) products.set(row.sbom_id, product);
    }
  }
  await Promise.all(Array.from({ length: sbomsAtOnce }, work));
  return products;
}

/** Null: the SBOM was deleted meanwhile. */
async function productOf(
  { request }: { request: Request },
  row: DecidedRow,
): Promise<Product | null> {
  try {
    const { sbom_id } = row;
    const { body: record } = await request(messages.getSbom, { sbom_id });
    const { sha256, version, created_at } = record;
    const identity = record.retained
      ? (await request(messages.describeSbom, { sha256 })).body
      : { purl: null, bom: null };
    const name = row.service_name ?? row.project_name;
    return { id: sbom_id, name, version, created_at, ...identity };
  } catch (error) {
    if (error instanceof AppError && error.code === 'sbom_not_found') return null;
    throw error;
  }
}

function statementOf(
  row: DecidedRow,
  known: { decisions: Map<string, messages.AcceptanceView>; products: Map<string, Product> },
): ExportStatement | null {
  const product = known.products.get(row.sbom_id);
  if (!product) return null;
  const { created_at: _, ...named } = product;
  return {
    id: uuidOf(row.id, row.decision.acceptance_id),
    vulnerability: [row.cve_id, ...row.aliases.filter((alias) => alias !== row.cve_id).sort()],
    ...contentOf(row.decision, known.decisions, product.created_at),
    product: named,
    components: purlsOf(row),
  };
}

/** The package URL in each version that the SBOM contains. */
function purlsOf({ purl, package_versions }: DecidedRow): string[] {
  const parsed = parsePurl(purl);
  if (!parsed || package_versions.length < 2) return [purl];
  const identity = packageIdentity(parsed);
  return package_versions.map((version) => `${identity}@${encodeURIComponent(version)}`);
}

/** A UUID of version 8 (RFC 9562, section 5.8) from a hash: equal for equal texts. */
function uuidOf(...texts: string[]): string {
  const hex = createHash('sha256').update(texts.join(' ')).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}
