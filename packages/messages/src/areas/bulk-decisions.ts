import { z } from 'zod';
import { rpc } from '../define';
import { decisionContent, decisionActor } from './acceptances';
import { digest, id, projectScope } from './fields';
import { listFilters } from './list-filters';

/** Maximum vulnerabilities named in one call, and selected by a filter. */
export const maxBulkIds = 10_000;
export const maxBulkSelected = 200_000;

/**
 * One call that decides about many vulnerabilities. `running`: it is carried on, whatever process ends;
 * `decided` counts so far.
 */
export interface BulkDecisionView {
  id: string;
  project_id: string;
  status: 'running' | 'done';
  /** Vulnerabilities decided by it. */
  decided: number;
  /** Named ids that are no vulnerability of the project. */
  not_found: number;
  created_at: string;
}

/**
 * Decides about the vulnerabilities that a filter selects among the open ones of a project, or about those with
 * these ids, each in its service and package. The same `idempotency_key` in a project answers the first call
 * again if its `request_digest` is the same. Waits for the end up to some seconds. Fails with
 * `project_not_found`, `idempotency_key_reused`, `payload_too_large`.
 */
export const decideInBulk = rpc<BulkDecisionView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'decide-in-bulk.v1',
  request: decisionContent.partial().extend({
    project_id: id,
    reason: z.string(),
    filter: listFilters.omit({ project_id: true }).optional(),
    vulnerability_ids: z.array(id).max(maxBulkIds).optional(),
    idempotency_key: z.string().max(128).optional(),
    /** With a key: SHA-256 of what the caller asked for, before owners and dates became services and limits. */
    request_digest: digest.optional(),
    created_by: decisionActor.optional(),
  }),
  timeoutMs: 60_000,
});

/** Fails with `acceptance_not_found`. `of_project` as in `deleteAcceptance`. */
export const readBulkDecision = rpc<BulkDecisionView>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-bulk-decision.v1',
  request: z.object({ bulk_id: id, of_project: projectScope.nullable() }),
});

/** Revokes every decision of a call. Repeating it completes what was interrupted. */
export const deleteBulkDecision = rpc<{ deleted: true }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'delete-bulk-decision.v1',
  request: z.object({ bulk_id: id, of_project: projectScope.nullable() }),
  timeoutMs: 60_000,
});
