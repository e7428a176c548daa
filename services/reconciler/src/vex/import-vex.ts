import {
  AppError,
  checkScope,
  maxVexStatements,
  readVex,
  type importVex as definition,
  type RequestOf,
  type VexDocumentDetail,
} from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { compareRevisions, type VexDocument } from '@bomtrail/vex';
import { v7 as newId } from 'uuid';
import { allProjects } from '../tracking/store/documents';
import type { ServiceStateStore } from '../tracking/store/service-state-store';
import type { ChangeDeps } from '../tracking/stored-service';
import { vulnerabilityIdsOf } from './domain/vex-documents';
import type { VexRecord } from './ports';
import { describeVex, type DescribeVexDeps } from './read-vex-document';
import { syncService, type SyncServiceDeps } from './sync-service';
import type { Service } from '../tracking/domain/types';
import { inParallel } from '../tracking/in-parallel';

export interface ImportVexDeps extends SyncServiceDeps, DescribeVexDeps {
  states: ServiceStateStore;
  batched: ChangeDeps;
}

/** Services to which a document is applied at once. */
const servicesAtOnce = 8;
/** A call applies a document for so long; the sweep does the rest. */
const applyMs = 45_000;

type VexImport = RequestOf<typeof definition>;

/**
 * Stores a VEX document, in place of an older one with its id, and applies it to the services that have a vulnerability
 * it names; the sweep evaluates all others. If the process ends, the sweep completes the work.
 *
 * @param packed the document, gzip'd
 * @throws AppError those of `readVex`, `project_not_found`, `vex_outdated`, `too_many_vex_statements`
 */
export async function importVex(
  deps: ImportVexDeps,
  input: VexImport,
  packed: Uint8Array | null,
): Promise<VexDocumentDetail> {
  const { project_id } = input;
  if (project_id !== null) await deps.request(checkScope, { project_id, service_id: null });
  const read = await deps.request(readVex, { size: input.size }, packed ?? undefined);
  const document = (await unpackJson(read.attachment ?? Buffer.alloc(0))) as VexDocument;
  const { record, former } = await store(deps, input, { document, sha256: read.body.sha256 });
  const ids = vulnerabilityIdsOf([...document.statements, ...former]);
  await applyToServices(deps, await servicesOf(deps, record, ids));
  return describeVex(deps, record);
}

/** Stores a document, or finds the same one stored. `former`: the statements that it replaces. */
async function store(
  deps: ImportVexDeps,
  input: VexImport,
  { document, sha256 }: { document: VexDocument; sha256: string },
): Promise<{ record: VexRecord; former: VexDocument['statements'] }> {
  const scope = input.project_id ?? allProjects;
  for (;;) {
    const known = await deps.vexDocuments.byDocumentId(scope, document.id);
    if (known?.sha256 === sha256) return { record: known, former: [] };
    if (known && compareRevisions(document, known) <= 0) throw new AppError('vex_outdated');
    const record = recordOf(document, { ...input, scope, sha256, known });
    const others = await deps.vexDocuments.countProducts(scope, record._id);
    if (others + record.product_count > maxVexStatements)
      throw new AppError('too_many_vex_statements');
    const former = (known && (await deps.vexDocuments.statementsOf(known._id))) ?? [];
    const outcome = await deps.vexDocuments.save(record, document, known);
    if (outcome === 'no_project') throw new AppError('project_not_found');
    if (outcome === 'done') return { record, former };
  }
}

function recordOf(
  document: VexDocument,
  given: VexImport & { scope: string; sha256: string; known: VexRecord | null },
): VexRecord {
  const { statements } = document;
  const now = new Date();
  return {
    _id: given.known?._id ?? newId(),
    project_id: given.scope,
    document_id: document.id,
    format: document.format,
    spec_version: document.spec_version,
    version: document.version,
    author: document.author,
    sha256: given.sha256,
    feed: given.feed ?? null,
    issued_at: document.timestamp,
    last_updated: document.last_updated,
    statement_count: statements.length,
    product_count: statements.reduce((sum, one) => sum + Math.max(1, one.products.length), 0),
    created_by: given.created_by ?? null,
    created_at: given.known?.created_at ?? now,
    updated_at: now,
  };
}

/** The services in which a document may decide something now, and those in which it did. */
export async function servicesOf(
  deps: Pick<ImportVexDeps, 'states' | 'vexEvaluations'>,
  record: VexRecord,
  ids: readonly string[],
): Promise<Service[]> {
  const scope = record.project_id === allProjects ? undefined : record.project_id;
  const [present, decided] = await Promise.all([
    deps.states.presentWith(scope, ids),
    deps.vexEvaluations.servicesDecidedBy(record._id),
  ]);
  const distinct = new Map(
    [...present, ...decided].map(({ service_id, project_id }) => [
      service_id,
      { service_id, project_id },
    ]),
  );
  return [...distinct.values()];
}

/** Applies the stored documents to services, until the time is over. */
export async function applyToServices(
  deps: Pick<ImportVexDeps, 'states' | 'batched'> & SyncServiceDeps,
  services: readonly Service[],
): Promise<void> {
  const until = Date.now() + applyMs;
  await inParallel(services, servicesAtOnce, async (service) => {
    if (Date.now() > until) return;
    const state = await deps.states.state(service.service_id);
    if (state !== 'deleted' && state?.head) await syncService(deps, service, state.head.sbom_id);
  });
}
