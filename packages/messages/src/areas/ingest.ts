import { z } from 'zod';
import { rpc } from '../define';
import { digest, id, type ScanStatus } from './fields';

/** What the catalog needs to know of the target, as the client named it. */
export const uploadTarget = z.object({
  project_id: id.nullable(),
  project_slug: z.string().nullable(),
  version: z.string().nullable(),
  service_name: z.string().nullable(),
});
export type UploadTarget = z.infer<typeof uploadTarget>;

/** The answer to an upload: the contract's SBOMUploadResponse with its additive fields. */
export interface UploadResult {
  id: string;
  format: string;
  spec_version: string;
  dependency_count: number;
  sha256: string;
  scan_status: ScanStatus;
  scanned_at: string | null;
}

/**
 * Store, parse and register a document. Attachment of the request: the document, gzip'd. Who believes
 * that ingest has it may leave it out, and sends it on the answer `malformed_body`: it has not.
 */
export const acceptUpload = rpc<UploadResult>()({
  service: 'ingest',
  name: 'accept-upload.v1',
  request: uploadTarget.extend({ sha256: digest, size: z.number().int().min(0) }),
  timeoutMs: 180_000,
});

/** Attachment of the answer: the document, gzip'd; unpacked it is the bytes that were uploaded. */
export const readDocument = rpc<{ size: number }>()({
  service: 'ingest',
  name: 'read-document.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});

/** What a document is about, where its purl names a package version; 32 Ki letters of them at most. */
export interface RootComponent {
  name: string;
  version: string;
  purl: string | null;
  is_direct: boolean;
  source_package?: string;
}

/**
 * Attachment of the answer: the dependencies of a component set, a gzip'd JSON array of the contract's
 * DependencyResponse. `roots` are judged with them; answers of release 1.0.1 do not have them.
 */
export const readComponents = rpc<{ count: number; roots?: RootComponent[] }>()({
  service: 'ingest',
  name: 'read-components.v1',
  request: z.object({ digest }),
  timeoutMs: 60_000,
});

/** How many entries each array of a diff has. */
export interface DiffCounts {
  added: number;
  removed: number;
  changed: number;
}

/**
 * What the component set `to` adds, removes and changes against `from`. Attachment of the answer:
 * the contract's SBOMDiffResponse, gzip'd JSON. Large sets wait for each other, hence the time.
 */
export const diffComponents = rpc<DiffCounts>()({
  service: 'ingest',
  name: 'diff-components.v1',
  request: z.object({ from: digest, to: digest }),
  timeoutMs: 120_000,
});

/** Documents (SHA-256) and component sets (digest) that one question about references may name, of each. */
export const maxReferences = 1_000;

/** Content by what it is kept by: documents by SHA-256, component sets by digest. */
export const contentNames = z.object({
  documents: z.array(digest).max(maxReferences),
  sets: z.array(digest).max(maxReferences),
});
export type ContentNames = z.infer<typeof contentNames>;

/**
 * References to this content are about to go: from a grace after this on ingest asks who else has one,
 * and drops what nobody refers to. Naming content that is still referred to is harmless, and so is
 * repeating it.
 */
export const markContent = rpc<{ marked: number }>()({
  service: 'ingest',
  name: 'mark-content.v1',
  request: contentNames,
});

/** Which of these component sets are kept. */
export const findUsedSets = rpc<{ held: string[] }>()({
  service: 'ingest',
  name: 'find-used-sets.v1',
  request: z.object({ digests: z.array(digest).max(maxReferences) }),
});
