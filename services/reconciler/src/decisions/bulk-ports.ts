import type { ExportCursor, ListFilters } from '@bomtrail/messages';
import type { AcceptanceDocument } from '../tracking/store/documents';

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
  /** What is decided, and by whom: the fields that every decision of it has. */
  content: Pick<
    AcceptanceDocument,
    | 'decision'
    | 'reason'
    | 'justification'
    | 'detail'
    | 'ticket_url'
    | 'assignee'
    | 'expires_at'
    | 'created_by'
  >;
  /** One of both. */
  filter?: Omit<ListFilters, 'project_id'>;
  vulnerability_ids?: string[];
  created_at: Date;
  /**
   * `storing`: decisions are being stored, after `position`; `applying`: services are being brought up to date,
   * after `service`; `done`. A revoked one stores and applies nothing any more.
   */
  state: 'storing' | 'applying' | 'done';
  position: ExportCursor | number | null;
  service: string;
  not_found: number;
  /** The number of transactions that stored decisions. */
  steps: number;
  /** It was deleted. */
  revoked?: true;
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
  /** The vulnerabilities with these ids in a project, merged ones as what they are now; others are left out. */
  rows(projectId: string, ids: readonly string[]): Promise<BulkRow[]>;
  /** Stores decisions of a job that are not stored yet, and moves the epoch of its project. */
  store(
    job: Pick<BulkDocument, '_id' | 'project_id'>,
    decisions: readonly AcceptanceDocument[],
  ): Promise<'stored' | 'deleted' | 'revoked'>;
  /** The next services with decisions of a job, in order of their ids. */
  services(id: string, after: string, limit: number): Promise<string[]>;
  /** The number of decisions of a job that were not revoked. */
  count(id: string): Promise<number>;
  /** Revokes some decisions of a job; returns them as they were, empty at the end. */
  revokeSome(id: string, limit: number): Promise<AcceptanceDocument[]>;
  /** Deletes a job whose project was deleted. */
  forget(id: string): Promise<void>;
  /** Marks a job as revoked: it goes on no more. */
  revoke(id: string): Promise<void>;
}
