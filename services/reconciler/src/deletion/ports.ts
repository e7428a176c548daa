import type { ProjectScope } from '@bomtrail/messages';
import type { Aggregation } from '@bomtrail/mongo';
import type { ClientSession, Document } from 'mongodb';
import type { Service } from '../tracking/domain/types';

/** Deleted but not purged yet. */
export interface Hidden {
  projects: string[];
  services: string[];
}

/** The scope and session of a read of what is hidden. */
export interface HiddenQuery {
  /** One project and its services; several or undefined: all. */
  project_id?: ProjectScope | undefined;
  /** A session that has not read anything yet. */
  session?: ClientSession;
}

/**
 * Deletes projects and services in two steps: hide, then purge. After hiding, no write adds anything, so a
 * purge finds everything.
 */
export interface DeletionStore {
  /** What is hidden and not purged yet. */
  hidden(query?: HiddenQuery): Promise<Hidden>;
  /** What is hidden, together with the results of each of these aggregations, read in one command. */
  hiddenWith(
    query: HiddenQuery,
    aggregations: readonly Aggregation[],
  ): Promise<{ hidden: Hidden; results: Document[][] }>;
  /** Whether a service was deleted, alone or with its project. */
  isDeleted(service: Service): Promise<boolean>;
  /** Hides a project from all reads, permanently. Idempotent. */
  hideProject(projectId: string): Promise<void>;
  /** Hides a service from all reads, permanently, with the acceptances in its scope. Idempotent. */
  hideService(service: Service): Promise<void>;
  /** Removes one batch of a hidden project. `more`: some is left. */
  purgeProject(projectId: string, limit: number): Promise<{ more: boolean }>;
  /** Removes one batch of a hidden service. `more`: some is left. */
  purgeService(serviceId: string, limit: number): Promise<{ more: boolean }>;
}
