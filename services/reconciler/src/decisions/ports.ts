import type {
  ExportCursor,
  listAcceptances,
  ListCursor,
  ListFilters,
  RequestOf,
} from '@bomtrail/messages';
import type { AcceptanceDocument, StoredContent } from '../tracking/store/documents';
import type { Service } from '../tracking/domain/types';

/** The decisions of a project or a service, and the time of the database server when they were read. */
export interface ActiveAcceptances {
  acceptances: AcceptanceDocument[];
  now: Date;
}

/** Outcome of storing a decision; `no_project`, `no_service`: the scope was deleted. */
export type InsertOutcome = 'done' | 'exists' | 'no_project' | 'no_service';

/** What a list of decisions is limited to. */
export type AcceptanceFilter = Omit<
  RequestOf<typeof listAcceptances>,
  'page' | 'per_page' | 'after'
>;

/** A change of what a decision says. */
export type ContentChange = Partial<StoredContent & Pick<AcceptanceDocument, 'rule'>> &
  Pick<AcceptanceDocument, 'updated_by'>;

/**
 * How the decisions of projects change: an epoch per project, which every change of a decision that applies
 * in it increases.
 */
export interface AcceptanceEpochs {
  epoch(projectId: string): Promise<ProjectEpoch>;
}

/** What may decide about the vulnerabilities of a project. */
export interface ProjectEpoch {
  /** Changes with every change of a decision that applies in the project; 0: there never was one. */
  epoch: number;
  /** VEX documents, or statements of its SBOMs, may decide: there was one once. */
  hasVex: boolean;
}

/** The active decisions, as changing services needs them. No result of a read is older than its request. */
export interface ActiveDecisions {
  /**
   * The active decisions whose scope includes a service. May include expired ones that have not lapsed yet; the time of
   * the database server decides on expiry.
   */
  active(service: Service): Promise<ActiveAcceptances>;
  /** Marks expired decisions as lapsed, permanently; they stay in the list. */
  lapse(ids: readonly string[]): Promise<void>;
}

/** Decisions that the vulnerabilities do not reflect yet: just made, changed, revoked or expired. */
export interface PendingAcceptances {
  /**
   * Records that the vulnerabilities reflect these decisions as they were read: revoked ones are deleted, the
   * others lose `pending`. One that changed since is left to the process that changed it.
   */
  finish(finished: readonly AcceptanceDocument[]): Promise<void>;
  /** Changed before a time and still pending: the process that began it has ended. */
  pendingBefore(before: Date, limit: number): Promise<AcceptanceDocument[]>;
  /** The `project_id`s of expired decisions that are still visible in the vulnerabilities. */
  projectsWithDue(): Promise<string[]>;
  /** Such decisions of one project, or of all projects (`allProjects`). */
  dueOf(projectId: string, limit: number): Promise<AcceptanceDocument[]>;
}

/** All stored decisions. */
export interface AcceptanceStore extends AcceptanceEpochs, ActiveDecisions, PendingAcceptances {
  /** Any decision, revoked ones included. */
  byId(id: string): Promise<AcceptanceDocument | null>;
  /** Stores a decision unless one of its slots is taken or its scope was deleted. */
  insert(acceptance: AcceptanceDocument): Promise<InsertOutcome>;
  /**
   * Changes an active decision, on condition that it is as it was read. Returns it as it is now; null: it was
   * changed, revoked or lapsed meanwhile.
   */
  change(read: AcceptanceDocument, change: ContentChange): Promise<AcceptanceDocument | null>;
  /** Revokes a decision: it is hidden from now on. False if another call revoked it. */
  revoke(acceptance: AcceptanceDocument): Promise<boolean>;
  /** A page, newest first, ties by id, with the number of all. */
  list(
    filter: AcceptanceFilter,
    page: { skip: number; limit: number; after?: ListCursor | null | undefined },
  ): Promise<{ items: AcceptanceDocument[]; total: number }>;
}

/** What one vulnerability of a bulk decision is decided by. */
export interface BulkRow {
  id: string;
  project_id: string;
  service_id: string;
  package_key: string;
  /** The current alias group, upper case. */
  identity: string[];
}

/** A call that decides about many vulnerabilities, and how far it is. */
export interface BulkDocument {
  _id: string;
  project_id: string;
  idempotency_key?: string;
  /** SHA-256 of what was asked for. */
  request_digest?: string;
  /** What is decided, and by whom: the fields that every decision of it has. */
  content: StoredContent & Pick<AcceptanceDocument, 'created_by'>;
  /** One of both. */
  filter?: Omit<ListFilters, 'project_id'>;
  vulnerability_ids?: string[];
  created_at: Date;
  /**
   * `storing`: decisions are being stored, after `position`; `applying`: services are being brought up to date,
   * after `service`; `revoking`: it was deleted, and decisions are left; `done`. A revoked one stores and applies
   * nothing any more.
   */
  state: 'storing' | 'applying' | 'revoking' | 'done';
  position: ExportCursor | number | null;
  service: string;
  not_found: number;
  /** The number of transactions that stored decisions. */
  steps: number;
  /** It was deleted. */
  revoked?: true;
}

/** A service with the number of decisions that a job made in it. */
export interface ServiceOfBulk {
  service_id: string;
  decisions: number;
}

/** Bulk decisions, whose progress survives every process. */
export interface BulkStore {
  /** Stores a new one; the existing one if its key was used before in the project, `null` if that is deleted. */
  begin(job: BulkDocument): Promise<BulkDocument | null>;
  byId(id: string): Promise<BulkDocument | null>;
  /** Those that are not done, oldest first. */
  unfinished(limit: number): Promise<BulkDocument[]>;
  /** Records how far one is, unless it was revoked. */
  advance(
    id: string,
    to: Partial<Pick<BulkDocument, 'state' | 'position' | 'service' | 'not_found'>>,
  ): Promise<'advanced' | 'revoked'>;
  /** The vulnerabilities with these ids in a project, merged ones once, as what they are now; other ids are counted. */
  rows(projectId: string, ids: readonly string[]): Promise<{ rows: BulkRow[]; not_found: number }>;
  /** Stores decisions of a job that are not stored yet, and moves the epoch of its project. */
  store(
    job: Pick<BulkDocument, '_id' | 'project_id'>,
    decisions: readonly AcceptanceDocument[],
  ): Promise<'stored' | 'deleted' | 'revoked'>;
  /** The next services with decisions of a job, in order of their ids. */
  services(id: string, after: string, limit: number): Promise<ServiceOfBulk[]>;
  /** The number of decisions of a job that were not revoked. */
  count(id: string): Promise<number>;
  /** Revokes some decisions of a job; returns them as they were, empty at the end. */
  revokeSome(id: string, limit: number): Promise<AcceptanceDocument[]>;
  /** Deletes a job whose project was deleted. */
  forget(id: string): Promise<void>;
  /** Marks a job as revoked: it goes on no more. */
  revoke(id: string): Promise<void>;
  /** No decision of a revoked job is left. */
  revoked(id: string): Promise<void>;
}

/** Standing rules; they are read, change and end as all decisions do. */
export interface RuleStore {
  /** Stores a rule unless its scope was deleted or the project has as many as it may have. */
  insert(
    rule: AcceptanceDocument,
  ): Promise<Extract<InsertOutcome, 'done' | 'no_project' | 'no_service'> | 'too_many'>;
  /** The projects with active rules by owner or label (DC9). */
  projectsWithOwned(): Promise<string[]>;
  /** The active rules by owner or label of a project. */
  ownedIn(projectId: string): Promise<AcceptanceDocument[]>;
  /** Moves such a rule to these services, to be applied; false if it was changed since it was read. */
  moveTo(rule: AcceptanceDocument, services: readonly string[]): Promise<boolean>;
  /** The vulnerabilities whose status rules determine, by rule. */
  decided(ids: readonly string[]): Promise<Map<string, number>>;
}
