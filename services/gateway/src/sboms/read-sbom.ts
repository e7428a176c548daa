import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { unpackJson, type Request } from '@bomtrail/messaging';
import { maySee, type Caller } from '../api-keys/domain/caller';
import { readQuality } from '../gate/read-quality';
import { coverageView, type CoverageView } from './domain/coverage-view';
import type { PageRequest } from '../shared/page-envelope';
import type { ScanWaits } from './scan-waits';

/**
 * What follows from the document alone is read while a caller waits: for so many callers at a time, and so many components,
 * of which 100 KB are in memory.
 */
const mostReadAhead = { callers: 100, components: 2_000 };

export interface ReadSbomDeps {
  request: Request;
}

export interface ReadSbomDetailDeps extends ReadSbomDeps {
  waits: ScanWaits;
}

/** Parts of an SBOM's detail that follow from its document alone. Lists are gzip'd JSON arrays, not parsed here. */
interface DocumentParts {
  /** null: unknown, or dropped with the document. */
  quality: messages.SbomQuality | null;
  /** null: none, because retention dropped them. */
  dependencies: Uint8Array | null;
}

/** Parts of an SBOM's detail. */
export interface SbomDetail extends DocumentParts {
  record: messages.SbomRecord;
  coverage: CoverageView | null;
  advisoryData: messages.AdvisoryData;
  /** null: none while the scan is pending. */
  vulnerabilities: Uint8Array | null;
}

/** @throws AppError `sbom_not_found`, also if its project does not exist for the caller */
export async function readSbomRecord(
  deps: ReadSbomDeps,
  caller: Caller,
  sbomId: string,
): Promise<messages.SbomRecord> {
  const { body } = await deps.request(messages.getSbom, { sbom_id: sbomId });
  if (!maySee(caller, body.project_id)) throw new AppError('sbom_not_found');
  return body;
}

/**
 * The record of an SBOM whose content is needed.
 *
 * @throws AppError `document_expired` if retention dropped it
 */
export function retainedRecord(record: messages.SbomRecord): messages.SbomRecord {
  if (!record.retained) throw new AppError('document_expired');
  return record;
}

/** Maximum wait of a caller, and a signal for its disconnect. */
export interface Wait {
  seconds: number;
  ended: AbortSignal;
}

/** The record after its scan, or after the time limit. */
export async function finishedRecord(
  deps: ReadSbomDetailDeps,
  caller: Caller,
  requested: { sbom_id: string; wait: Wait },
): Promise<messages.SbomRecord> {
  const { record, waited } = await waitForScan(deps, caller, requested);
  return waited === 'not' ? record : readSbomRecord(deps, caller, requested.sbom_id);
}

/**
 * The record before the wait, and how the wait ended; `not`: the scan was finished already, or nothing was waited for.
 *
 * @param onWait receives the record when the wait begins
 */
async function waitForScan(
  deps: ReadSbomDetailDeps,
  caller: Caller,
  {
    sbom_id,
    wait,
    onWait,
  }: { sbom_id: string; wait: Wait; onWait?: (record: messages.SbomRecord) => void },
): Promise<{ record: messages.SbomRecord; waited: 'not' | 'until_finished' | 'too_short' }> {
  const waiting = wait.seconds > 0 ? deps.waits.begin(sbom_id, caller.id) : null;
  if (!waiting) return { record: await readSbomRecord(deps, caller, sbom_id), waited: 'not' };
  if (wait.ended.aborted) waiting.end();
  wait.ended.addEventListener('abort', waiting.end);
  try {
    const record = await readSbomRecord(deps, caller, sbom_id);
    if (record.scan_status !== 'pending') return { record, waited: 'not' };
    onWait?.(record);
    const isFinished = await waiting.over(wait.seconds * 1000);
    wait.ended.throwIfAborted();
    return { record, waited: isFinished ? 'until_finished' : 'too_short' };
  } finally {
    waiting.end();
    wait.ended.removeEventListener('abort', waiting.end);
  }
}

/**
 * Reads all parts before responding, so that a missing part gives a 503, never an incomplete list. Of an
 * expired SBOM there is only the record.
 *
 * @throws AppError `sbom_not_found`, `service_unavailable`
 */
export async function readSbomDetail(
  deps: ReadSbomDetailDeps,
  caller: Caller,
  requested: { sbom_id: string; wait: Wait },
): Promise<SbomDetail> {
  let ahead = nothingAhead;
  const onWait = (pending: messages.SbomRecord): void => {
    const isSmall = pending.dependency_count <= mostReadAhead.components;
    if (isSmall && deps.waits.count() <= mostReadAhead.callers)
      ahead = readDocumentParts(deps, pending).catch(() => null);
  };
  const { record, waited } = await waitForScan(deps, caller, { ...requested, onWait });
  if (waited === 'not') return { record, ...(await readParts(deps, record)) };
  // Unless the scan failed, the parts are those of a scanned SBOM: they need not wait for the record.
  const expected = waited === 'until_finished' && { ...record, scan_status: 'scanned' as const };
  const [current, early] = await Promise.all([
    readSbomRecord(deps, caller, requested.sbom_id),
    expected ? readParts(deps, expected, ahead).catch(() => null) : null,
  ]);
  const isExpected = current.scan_status === 'scanned' && current.retained === record.retained;
  const parts = isExpected && early ? early : await readParts(deps, current);
  return { record: current, ...parts };
}

const nothingAhead: Promise<DocumentParts | null> = Promise.resolve(null);

/** What the record of an SBOM does not have. `ahead`: what was read of it before; null: nothing. */
async function readParts(
  deps: ReadSbomDeps,
  record: messages.SbomRecord,
  ahead = nothingAhead,
): Promise<Omit<SbomDetail, 'record'>> {
  const { digest, retained } = record;
  const isScanned = record.scan_status === 'scanned';
  const [ofDocument, coverage, vulnerabilities] = await Promise.all([
    ahead.then((known) => known ?? readDocumentParts(deps, record)),
    deps.request(messages.readCoverage, { digest: retained ? digest : null }),
    isScanned && retained ? readVulnerabilities(deps, record) : null,
  ]);
  return {
    coverage: coverageView(coverage.body.coverage),
    advisoryData: coverage.body.advisory_data,
    ...ofDocument,
    vulnerabilities,
  };
}

async function readDocumentParts(
  deps: ReadSbomDeps,
  { digest, sha256, retained }: messages.SbomRecord,
): Promise<DocumentParts> {
  if (!retained) return { quality: null, dependencies: null };
  const [components, quality] = await Promise.all([
    deps.request(messages.readComponents, { digest }),
    readQuality(deps, sha256),
  ]);
  return { quality, dependencies: attached(components.attachment) };
}

/** A page of the components that could not be evaluated, with the counts of the whole document. */
export interface SbomCoverage extends messages.PageOf<messages.UndeterminedComponent> {
  coverage: CoverageView | null;
  scanStatus: messages.ScanStatus;
  advisoryData: messages.AdvisoryData;
}

/** @throws AppError `sbom_not_found`, `service_unavailable` */
export async function listSbomCoverage(
  deps: ReadSbomDeps,
  caller: Caller,
  requested: PageRequest & { sbom_id: string; reason?: string },
): Promise<SbomCoverage> {
  const { sbom_id, page, per_page, reason } = requested;
  const record = await readSbomRecord(deps, caller, sbom_id);
  const { digest, scan_status } = record;
  if (!record.retained) {
    const { body } = await deps.request(messages.readCoverage, { digest: null });
    const nothing = { items: [], total: 0, coverage: null };
    return { ...nothing, scanStatus: scan_status, advisoryData: body.advisory_data };
  }
  const list = { digest, page, per_page, ...(reason === undefined ? {} : { reason }) };
  const { body, attachment } = await deps.request(messages.listUndetermined, list);
  return {
    items: (await unpackJson(attached(attachment))) as messages.UndeterminedComponent[],
    total: body.total,
    coverage: coverageView(body.coverage),
    scanStatus: scan_status,
    advisoryData: body.advisory_data,
  };
}

/**
 * The gzip'd document and its unpacked size.
 *
 * @throws AppError `sbom_not_found`, `document_expired`
 */
export async function readSbomDocument(
  deps: ReadSbomDeps,
  caller: Caller,
  sbomId: string,
): Promise<{ record: messages.SbomRecord; size: number; packed: Uint8Array }> {
  const record = retainedRecord(await readSbomRecord(deps, caller, sbomId));
  const response = await deps.request(messages.readDocument, { sha256: record.sha256 });
  return { record, size: response.body.size, packed: attached(response.attachment) };
}

/** @throws AppError `sbom_not_found`, also for all but one of parallel deletes */
export async function deleteSbom(
  deps: ReadSbomDeps,
  caller: Caller,
  sbomId: string,
): Promise<void> {
  if (caller.projects !== 'all') await readSbomRecord(deps, caller, sbomId);
  await deps.request(messages.deleteSbom, { sbom_id: sbomId });
}

/** The vulnerabilities of a scanned SBOM, as packed JSON (`BriefVulnerability[]`). */
export async function readVulnerabilities(
  deps: ReadSbomDeps,
  record: messages.SbomRecord,
): Promise<Uint8Array> {
  const { id, service_id, seq, digest } = record;
  const requested = { sbom_id: id, service_id, seq, digest };
  return attached((await deps.request(messages.listSbomVulnerabilities, requested)).attachment);
}

/** The attachment that a response must have. */
export function attached(attachment: Uint8Array | null): Uint8Array {
  if (!attachment) throw new Error('A response has no attachment.');
  return attachment;
}
