import type {
  DecisionActor,
  EmbeddedVexMode,
  ProjectScope,
  SuggestedDecision,
} from '@bomtrail/messages';
import type { DecidedPackage } from '../tracking/domain/decision-types';
import type { VexDocument } from '@bomtrail/vex';
import type { AcceptanceDocument } from '../tracking/store/documents';
import type { VexConflict } from './domain/vex-conflicts';
import type { StoredVex } from './domain/vex-documents';
import type { Service } from '../tracking/domain/types';

/** A VEX document as stored, without its statements. */
export interface VexRecord {
  _id: string;
  /** `allProjects`: it applies in every one. */
  project_id: string;
  /** The id in the document; unique in the project. */
  document_id: string;
  format: VexDocument['format'];
  spec_version: string;
  version: string;
  author: string;
  /** SHA-256 of the statements and all else that was read. */
  sha256: string;
  /** The watched source that it comes from; null: it was imported. */
  feed: string | null;
  issued_at: string | null;
  last_updated: string | null;
  /** Statements, and statements about products (the unit of the limit). */
  statement_count: number;
  product_count: number;
  created_by: DecisionActor | null;
  created_at: Date;
  updated_at: Date;
}

/**
 * That the documents of a revision were matched with an SBOM of a service, and what came of it. `applied`: the
 * vulnerabilities reflect it.
 */
export interface VexEvaluation {
  sbom_id: string;
  revision: number;
  /** Those by which it was made (`vexRules`); absent: the first ones. */
  rules?: number;
  applied: boolean;
  /** Absent: no aliases make documents disagree. */
  compared?: ComparedIds;
}

/** The rules by which statements decide. An evaluation by others is made again. */
export const vexRules = 5;

/** Ids of statements that disagree where aliases make them one vulnerability. */
export interface ComparedIds {
  ids: string[];
  /** Hash of the alias groups of the service by which its conflicts were found. */
  groups: string;
}

/** A decision that the newest SBOM of a service suggests; the alias group in upper case. */
export interface StoredSuggestion extends SuggestedDecision {
  identity: string[];
  packages?: DecidedPackage[];
}

export interface VexDocumentStore {
  /** A number that every import and delete in a project, or for all projects, increases; 0: there never was one. */
  revisionOf(projectId: string): Promise<number>;
  /** What a project does with statements in its SBOMs. */
  embeddedIn(projectId: string): Promise<EmbeddedVexMode>;
  /** Changes that, and moves the revision; nothing if it is so already. */
  setEmbedded(projectId: string, mode: EmbeddedVexMode): Promise<'done' | 'deleted'>;
  /** The documents that apply in a project, in the order of their import. */
  documentsIn(projectId: string): Promise<StoredVex[]>;
  /** A record by the id that its document has in itself. */
  byDocumentId(projectId: string, documentId: string): Promise<VexRecord | null>;
  byId(id: string): Promise<VexRecord | null>;
  /** The statements of a document; null: deleted. */
  statementsOf(id: string): Promise<VexDocument['statements'] | null>;
  /** A page, the one changed last first. Undefined: of all projects, from wherever. */
  list(
    of: { within?: ProjectScope | undefined; feed?: string | undefined },
    page: { skip: number; limit: number },
  ): Promise<{ items: VexRecord[]; total: number }>;
  /** Statements about products in all documents of a project but one. */
  countProducts(projectId: string, except: string): Promise<number>;
  /**
   * Stores a document, in place of the record that was read (null: none), and moves the revision. `lost`: another
   * import came first.
   */
  save(
    record: VexRecord,
    document: VexDocument,
    replaced: VexRecord | null,
  ): Promise<'done' | 'lost' | 'no_project'>;
  /** Deletes a document and moves the revision. False: another call did. */
  delete(record: VexRecord): Promise<boolean>;
}

export interface VexEvaluationStore {
  evaluationOf(serviceId: string): Promise<VexEvaluation | null>;
  /** Whether the stored decisions are those of documents of a revision about an SBOM, by the present rules. */
  isEvaluated(serviceId: string, by: Pick<VexEvaluation, 'sbom_id' | 'revision'>): Promise<boolean>;
  /** What the newest SBOM of a service suggests. */
  suggestionsIn(serviceId: string): Promise<StoredSuggestion[]>;
  /** The services in which decisions of a document apply. */
  servicesDecidedBy(vexId: string): Promise<Service[]>;
  /**
   * Replaces the decisions that documents make about a service, and records the evaluation, in one transaction, unless
   * the service or its project was deleted or the documents changed. Returns the ids (upper case) of vulnerabilities
   * whose decisions changed; null: nothing was written.
   */
  replace(
    service: Service,
    evaluation: VexEvaluation & {
      results: Record<string, string>;
      suggestions?: StoredSuggestion[];
      conflicts?: VexConflict[];
    },
    decisions: readonly AcceptanceDocument[],
  ): Promise<string[] | null>;
  /** The alias groups (upper case) with several of these ids in the newest SBOM of a service, in order. */
  aliasGroups(serviceId: string, ids: readonly string[]): Promise<string[][]>;
  /** The vulnerabilities reflect an evaluation. */
  markApplied(serviceId: string, evaluation: VexEvaluation): Promise<void>;
  /** Encoded results of a document, one for each evaluated service of a project (undefined: of all). */
  resultsOf(vexId: string, within: ProjectScope | undefined): Promise<string[]>;
  /** Conflicts of a document with others, one list for each service of a project (undefined: of all) with any. */
  conflictsWith(vexId: string, within: ProjectScope | undefined): Promise<VexConflict[][]>;
  /** Services in a project (undefined: all) whose newest SBOM was not evaluated with the present documents. */
  countPending(within: ProjectScope | undefined): Promise<number>;
  /** Such services, and those whose vulnerabilities do not reflect their evaluation. */
  pending(limit: number): Promise<(Service & { sbom_id: string })[]>;
  /** Of these ids (upper case) those that a vulnerability in a newest SBOM of a project (undefined: any) has. */
  presentIds(within: ProjectScope | undefined, ids: readonly string[]): Promise<Set<string>>;
}
