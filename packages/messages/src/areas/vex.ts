import { z } from 'zod';
import { rpc } from '../define';
import { digest, id, page, projectScope, type PageOf } from './fields';
import {
  decisionActor,
  type DecisionActor,
  type DecisionKind,
  type Justification,
  type SourceDocument,
} from './acceptances';

/** Maximum size of a VEX document, unpacked, in bytes. */
export const maxVexBytes = 10 * 1024 * 1024;
/** Maximum statements about products in all VEX documents that apply in a project. */
export const maxVexStatements = 20_000;
/** Statements of a document that are returned in full. */
export const maxVexStatementsReturned = 1_000;

/**
 * Reads a VEX document. Attachment of the request: the document, gzip'd; of the response: the `VexDocument`, as
 * `packJson` packs it. Fails with `malformed_json`, `unsupported_vex_format`, `invalid_vex`.
 */
export const readVex = rpc<{ statements: number; sha256: string }>()({
  service: 'ingest',
  callers: ['reconciler'],
  name: 'read-vex.v1',
  request: z.object({ size: z.number().int().min(0) }),
  timeoutMs: 60_000,
});

/**
 * What products cover in a stored SBOM. Attachment of the request: the products by statement, as `packJson` packs
 * them; of the response: a `StatementMatch` for each. Fails with `sbom_not_found`.
 */
export const matchVex = rpc<{ count: number }>()({
  service: 'ingest',
  callers: ['reconciler'],
  name: 'match-vex.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});

/**
 * The same in a document that is stored nowhere. Attachment of the request: the document, gzip'd, in the first
 * `document_bytes`, then the products; of the response: a `VexInDocument`, as `packJson` packs it.
 */
export const matchVexUnstored = rpc<{ count: number }>()({
  service: 'ingest',
  callers: ['reconciler'],
  name: 'match-vex-unstored.v1',
  request: z.object({
    document_bytes: z.number().int().positive(),
    /** Of the document, unpacked. */
    size: z.number().int().positive(),
    /** Whether its own statements are read. */
    embedded: z.boolean(),
  }),
  timeoutMs: 60_000,
});

/**
 * Whether VEX documents, or statements in SBOMs, may decide in a project. If so, a check sends its document along.
 */
export const hasVex = rpc<{ has_vex: boolean }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'has-vex.v1',
  request: z.object({ project_id: id }),
});

/** What is done with the statements that an uploaded SBOM makes itself. */
export const embeddedVexModes = ['off', 'suggest', 'apply'] as const;
export type EmbeddedVexMode = (typeof embeddedVexModes)[number];

/**
 * What a stored SBOM says itself about vulnerabilities. Attachment of the response: the `EmbeddedVex`, as `packJson` packs
 * it. Fails with `sbom_not_found`.
 */
export const readEmbeddedVex = rpc<{ statements: number }>()({
  service: 'ingest',
  callers: ['reconciler'],
  name: 'read-embedded-vex.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});

/**
 * What is done in a project with statements in SBOMs; the services follow within a minute. Idempotent. Fails with
 * `project_not_found`.
 */
export const setEmbeddedVex = rpc<{ mode: EmbeddedVexMode }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'set-embedded-vex.v1',
  request: z.object({ project_id: id, mode: z.enum(embeddedVexModes) }),
});

/** A decision that the newest SBOM suggests about a vulnerability in it. */
export interface SuggestedDecision {
  decision: DecisionKind;
  justification: Justification | null;
  reason: string;
  source_document: SourceDocument;
}

/** What identifies a stored SBOM. Fails with `sbom_not_found`. */
export const describeSbom = rpc<{
  /** Package URL of the root. */
  purl: string | null;
  /** UUID of the serial number of a CycloneDX document, and its version. */
  bom: { serial: string; version: number } | null;
}>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'describe-sbom.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});

/** A watched source of VEX documents. */
export interface VexSourceView {
  /** Folder or address, without credentials. */
  source: string;
  last_success_at: string | null;
  /** Since the last successful poll. */
  age_seconds: number | null;
  documents: number;
  rejected: number;
  /** The first of them. */
  rejected_documents: { document: string; reason: string }[];
  last_error: { message: string; at: string | null } | null;
}

/** A stored VEX document. */
export interface VexDocumentView {
  id: string;
  /** Null: it applies in all projects. */
  project_id: string | null;
  /** The id that the document has in itself. */
  document_id: string;
  format: 'openvex' | 'cyclonedx' | 'csaf';
  spec_version: string;
  version: string;
  author: string;
  sha256: string;
  /** The watched source that it comes from; null: it was imported. */
  feed: string | null;
  issued_at: string | null;
  last_updated: string | null;
  /** Statements, each once. */
  statements: number;
  created_by: DecisionActor | null;
  created_at: string;
  updated_at: string;
}

/** What became of a statement. */
export interface VexStatementView {
  /** Position in the document, from 0. */
  index: number;
  vulnerability: string[];
  products: string[];
  status: string;
  justification: string | null;
  /** The decision that it makes; null: none. */
  decision: DecisionKind | null;
  /** Services whose newest SBOM it applies to and that have the vulnerability. */
  services: number;
  /** Why it applies nowhere; null if it does. */
  reason: string | null;
}

/** A statement that another document contradicts about the same package in the same SBOMs. */
export interface VexConflictView {
  /** The place of the statement. */
  index: number;
  /** The other document, and the place and status of its statement; null: it is gone. */
  document_id: string;
  other_index: number;
  status: string | null;
  /** Whether this document's statement counts: it is the later one. */
  counts: boolean;
  /** Services whose newest SBOM both apply to. */
  services: number;
}

export interface VexDocumentDetail extends VexDocumentView {
  /** Statements that apply somewhere. */
  applied: number;
  /** The others by reason. */
  not_applied: Record<string, number>;
  /** Services that are not evaluated yet; the numbers above are without them. */
  pending_services: number;
  /** The first 200. */
  conflicts: VexConflictView[];
  /** The first 1,000. */
  results: VexStatementView[];
}

/**
 * Stores a VEX document, in place of an older one with the same id in the same scope, and applies it. Attachment: the
 * document, gzip'd. Fails with those of `readVex`, `project_not_found`, `vex_outdated`, `too_many_vex_statements`.
 */
export const importVex = rpc<VexDocumentDetail>()({
  service: 'reconciler',
  callers: ['gateway', 'scanner'],
  name: 'import-vex.v1',
  request: z.object({
    project_id: id.nullable(),
    size: z.number().int().min(0),
    /** The watched source that it comes from. */
    feed: z.string().optional(),
    created_by: decisionActor.optional(),
  }),
  timeoutMs: 120_000,
});

/** The stored documents of a project, those for all projects included; newest change first. Absent: all. */
export const listVex = rpc<PageOf<VexDocumentView>>()({
  service: 'reconciler',
  callers: ['gateway', 'scanner'],
  name: 'list-vex.v1',
  request: page.extend({
    project_id: projectScope.optional(),
    /** The watched source that they come from. */
    feed: z.string().optional(),
  }),
  timeoutMs: 10_000,
});

/** `of_project`: only if it applies there. Fails with `vex_not_found`. */
export const readVexDocument = rpc<VexDocumentDetail>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-vex-document.v1',
  request: z.object({ vex_id: id, of_project: projectScope.nullable() }),
  timeoutMs: 30_000,
});

/** Withdraws a document with its decisions. `of_project`: only if it is of that project. Fails with `vex_not_found`. */
export const deleteVex = rpc<{ deleted: true }>()({
  service: 'reconciler',
  callers: ['gateway', 'scanner'],
  name: 'delete-vex.v1',
  request: z.object({ vex_id: id, of_project: projectScope.nullable() }),
  timeoutMs: 120_000,
});
