import { z } from 'zod';
import { rpc } from '../define';
import { person } from './acceptances';
import { digest, id, type ScanStatus } from './fields';

/** Target of an upload, as the client named it. */
export const uploadTarget = z.object({
  project_id: id.nullable(),
  project_slug: z.string().nullable(),
  version: z.string().nullable(),
  service_name: z.string().nullable(),
});
export type UploadTarget = z.infer<typeof uploadTarget>;

/** Maximum characters of a commit and of a build's URL. */
export const maxCommitLength = 255;
export const maxBuildUrlLength = 2048;

/** Who uploaded an SBOM, and from which build. */
export const provenance = z.object({
  uploaded_by: z.object({
    key_id: id,
    key_prefix: z.string(),
    key_name: z.string().nullable(),
    person: person.optional(),
  }),
  commit: z.string().max(maxCommitLength).nullable(),
  build_url: z.string().max(maxBuildUrlLength).nullable(),
});
export type Provenance = z.infer<typeof provenance>;

/** The same of a record; null where it is unknown. */
export type ProvenanceView = { [Field in keyof Provenance]: Provenance[Field] | null };

/** The contract's SBOMUploadResponse with its additive fields. */
export interface UploadResult extends ProvenanceView {
  id: string;
  format: string;
  spec_version: string;
  dependency_count: number;
  sha256: string;
  scan_status: ScanStatus;
  scanned_at: string | null;
}

/** The response to an upload. `quality_score`: of the document; null if an earlier release stored it. */
export type AcceptedUpload = UploadResult & { quality_score: number | null };

/**
 * Stores, parses and registers a document. Attachment of the request: the gzip'd document. A caller
 * that expects ingest to have it may omit the attachment; on a miss, ingest responds
 * `malformed_body` and the caller repeats the request with it.
 */
export const acceptUpload = rpc<AcceptedUpload>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'accept-upload.v1',
  request: uploadTarget.extend({
    sha256: digest,
    size: z.number().int().min(0),
    provenance: provenance.optional(),
  }),
  timeoutMs: 180_000,
});

/** Attachment of the response: the gzip'd document, byte for byte as uploaded. */
export const readDocument = rpc<{ size: number }>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'read-document.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});

/**
 * Root component of a document, if its purl has a version; all roots have at most 32 Ki characters.
 */
export interface RootComponent {
  name: string;
  version: string;
  purl: string | null;
  is_direct: boolean;
  source_package?: string;
}

/**
 * Attachment of the response: the dependencies of a component set, a gzip'd JSON array of the
 * contract's DependencyResponse. `roots` are evaluated together with them.
 */
export const readComponents = rpc<{ count: number; roots: RootComponent[] }>()({
  service: 'ingest',
  callers: ['gateway', 'scanner'],
  name: 'read-components.v1',
  request: z.object({ digest }),
  timeoutMs: 60_000,
});

/** Maximum purls per request for paths; maximum paths of a component, and components of a path. */
export const maxPathPurls = 20;
export const maxDependencyPaths = 10;
export const maxPathLength = 100;

/** How a component comes into a document. */
export interface DependencyPathsView {
  purl: string;
  /** False: the document's graph lists nothing for its root, so there are no paths. */
  has_graph: boolean;
  /** The document contains it; null without a graph. */
  found: boolean | null;
  /**
   * A shortest path for each direct dependency that leads to it, shortest first: from the direct
   * dependency to the component.
   */
  paths: { name: string; version: string; purl: string | null }[][];
  /** There are more, or longer ones than `maxPathLength`. */
  more: boolean;
}

/**
 * Paths to components of a document, by its own graph. Attachment of the response: JSON array of
 * `DependencyPathsView`, one for each distinct purl, as `packJson` packs it. Fails with
 * `sbom_not_found`. The timeout allows for large documents, which are parsed one at a time.
 */
export const findDependencyPaths = rpc<{ count: number }>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'find-dependency-paths.v1',
  request: z.object({
    sha256: digest,
    purls: z.array(z.string().max(4096)).min(1).max(maxPathPurls),
  }),
  timeoutMs: 60_000,
});

/** A component of a document's dependency tree. */
export interface DependencyNodeView {
  /** In the document. */
  id: string;
  name: string;
  version: string;
  purl: string | null;
  /** How many it depends on; with a filter, of those that are in the tree. */
  children: number;
  /** False: the filter does not select it, but something that it leads to. */
  matches: boolean;
}

/** What one component of a document depends on. */
export interface DependencyLevelView {
  /** False: the document's graph lists nothing for its root. */
  has_graph: boolean;
  /** False: the document has no such component. */
  parent_known: boolean;
  items: DependencyNodeView[];
  total: number;
}

/** Vulnerable versions of a package. */
export interface VulnerablePackage {
  purl: string;
  versions: string[];
}

/** Maximum length of a component's id. */
export const maxDependencyId = 4096;

/**
 * One level of a document's dependency tree, by its own graph: `parent` null for the direct dependencies.
 * `vulnerable`: only what leads to one of the packages in the attachment (`VulnerablePackage[]`, as `packJson`
 * packs it). Attachment of the response: a `DependencyLevelView`. Fails with `sbom_not_found`. The timeout is that
 * for paths.
 */
export const readDependencyLevel = rpc<{ total: number }>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'read-dependency-level.v1',
  request: z.object({
    sha256: digest,
    parent: z.string().max(maxDependencyId).nullable(),
    words: z.array(z.string().max(200)).max(8),
    vulnerable: z.boolean(),
    skip: z.number().int().min(0),
    limit: z.number().int().min(1).max(200),
  }),
  timeoutMs: 60_000,
});

/** Number of entries in each array of a diff. */
export interface DiffCounts {
  added: number;
  removed: number;
  changed: number;
}

/**
 * Difference between the component sets `from` and `to`. Attachment of the response: the contract's
 * SBOMDiffResponse, gzip'd JSON. The timeout allows for large sets, which are processed one at a
 * time.
 */
export const diffComponents = rpc<DiffCounts>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'diff-components.v1',
  request: z.object({ from: digest, to: digest }),
  timeoutMs: 120_000,
});

/** Maximum documents and maximum component sets per request about references. */
export const maxReferences = 1_000;

/** Stored content: documents by SHA-256, component sets by digest. */
export const contentNames = z.object({
  documents: z.array(digest).max(maxReferences),
  sets: z.array(digest).max(maxReferences),
});
export type ContentNames = z.infer<typeof contentNames>;

/**
 * References to this content are about to be deleted. After a grace period ingest deletes content
 * without references. Idempotent, and harmless for content that is still referenced.
 */
export const markContent = rpc<{ marked: number }>()({
  service: 'ingest',
  callers: ['catalog'],
  name: 'mark-content.v1',
  request: contentNames,
});

/** Returns those of these component sets that are stored. */
export const findUsedSets = rpc<{ used: string[] }>()({
  service: 'ingest',
  callers: ['scanner'],
  name: 'find-used-sets.v1',
  request: z.object({ digests: z.array(digest).max(maxReferences) }),
});
