import {
  AppError,
  registerSbom,
  type AcceptedUpload,
  type Provenance,
  type UploadTarget,
} from '@bomtrail/messages';
import { LICENCE_INDEX_VERSION, qualityReport, SBOM_READING_VERSION } from '@bomtrail/sbom-formats';
import type { Request } from '@bomtrail/messaging';
import type { DocumentStore, KnownDocument } from '../store/document-store';
import type { AssertProject } from './assert-project';
import type { Workers } from '../worker/worker-pool';
import { readDocument, type ReadDocument } from './read-document';

/** Larger documents take longer to parse than others may wait for them. */
export const smallBytes = 1024 * 1024;

export interface AcceptUploadDeps {
  documents: DocumentStore;
  workers: Workers;
  assertProject: AssertProject;
  request: Request;
  /** Minimum time that marked content stays, in milliseconds. */
  graceMs: number;
}

export type Upload = UploadTarget & {
  sha256: string;
  size: number;
  provenance?: Provenance | undefined;
};

type StoredFields = Omit<KnownDocument, 'created_at' | 'marked_at' | 'size'>;

/**
 * Accepts a document. Known documents are not read again; new ones are parsed and stored. Then the
 * catalog registers the SBOM. The project is checked before a new document is parsed.
 *
 * @param bytes the gzip'd document; null if the caller assumes that it is stored
 * @throws AppError `project_not_found`, the validation error of the document, or `malformed_body`
 *   when it is neither stored nor sent
 */
export async function acceptUpload(
  deps: AcceptUploadDeps,
  upload: Upload,
  bytes: Uint8Array | null,
): Promise<AcceptedUpload> {
  const { project_id, project_slug, version, service_name, provenance } = upload;
  const begun = performance.now();
  const reading = readAhead(deps, upload, bytes);
  const document =
    (await deps.documents.findDocument(upload.sha256)) ??
    (await parseAndStore(deps, upload, { bytes, reading }));
  const response = await deps.request(registerSbom, {
    project_id,
    project_slug,
    version,
    service_name,
    sha256: document._id,
    digest: document.digest,
    format: document.format,
    spec_version: document.spec_version,
    dependency_count: document.dependency_count,
    root_name: document.root_name,
    provenance,
  });
  // Content marked before the registration may have been deleted during a slow one.
  if (performance.now() - begun > deps.graceMs / 2) await ensureStored(deps, upload, bytes);
  const { quality } = document;
  return { ...response.body, quality_score: quality ? qualityReport(quality).score : null };
}

/**
 * Stores a registered document again if it was deleted, and removes marks from before its
 * registration.
 */
async function ensureStored(
  deps: AcceptUploadDeps,
  upload: Upload,
  bytes: Uint8Array | null,
): Promise<void> {
  const known = await deps.documents.findDocument(upload.sha256);
  if (!known || !(await deps.documents.useSet(known.digest)))
    await parseAndStore(deps, upload, { bytes });
}

/**
 * Reads a small document while it is looked up: gateways send the bytes of those that they do not know, which are nearly
 * always new. null: not yet.
 */
function readAhead(
  deps: AcceptUploadDeps,
  upload: Upload,
  bytes: Uint8Array | null,
): Promise<ReadDocument> | null {
  if (!bytes || upload.size > smallBytes) return null;
  const reading = readNew(deps, upload, bytes);
  // The error is of no interest if the document is known.
  reading.catch(() => undefined);
  return reading;
}

/** Checks the project, then reads the document. */
async function readNew(
  deps: AcceptUploadDeps,
  upload: Upload,
  bytes: Uint8Array,
): Promise<ReadDocument> {
  await deps.assertProject(upload);
  const { sha256, size } = upload;
  return readDocument(deps, { bytes, sha256, size });
}

async function parseAndStore(
  deps: AcceptUploadDeps,
  upload: Upload,
  { bytes, reading = null }: { bytes: Uint8Array | null; reading?: Promise<ReadDocument> | null },
): Promise<StoredFields> {
  if (!bytes) throw new AppError('malformed_body', 'The document is missing.');
  const parsed = await (reading ?? readNew(deps, upload, bytes));
  const { sha256, size } = upload;
  const now = new Date();
  const document: StoredFields = {
    _id: sha256,
    format: parsed.format,
    spec_version: parsed.specVersion,
    root_name: parsed.rootName,
    digest: parsed.digest,
    dependency_count: parsed.count,
    reading: SBOM_READING_VERSION,
    quality: parsed.quality,
  };
  const { digest, count, roots, licences } = parsed;
  const set = {
    _id: digest,
    count,
    created_at: now,
    licences,
    licence_index: LICENCE_INDEX_VERSION,
    ...(roots.length > 0 ? { roots } : {}),
  };
  // If only one of them is stored, the next upload parses and stores both again.
  await Promise.all([
    deps.documents.storeSet(set, parsed.components),
    deps.documents.storeDocument({ ...document, size, created_at: now }, bytes),
  ]);
  return document;
}
