import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isInScope,
  AppError,
  checkScope,
  maxBulkSelected,
  type BulkDecisionView,
  type decideInBulk as definition,
  type ListFilters,
  type ProjectScope,
  type RequestOf,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { v7 as newId } from 'uuid';
import type { ListStore } from '../queries/store/list-store';
import type { BulkDocument, BulkStore } from './ports';
import { continueBulk, type ContinueBulkDeps } from './continue-bulk';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';
import { contentOf } from './create-acceptance';

/** How long a caller waits for the end, and how often it is looked for while another process is at it. */
const waitMs = 20_000;
const lookEveryMs = 100;

export interface DecideInBulkDeps extends ContinueBulkDeps, LapseExpiredDeps {
  request: Request;
  lists: Pick<ListStore, 'countBySeverity'>;
}

/** What is decided about what. */
export type BulkRequest = RequestOf<typeof definition>;

/**
 * Decides about many vulnerabilities. The call is stored first, so that it is completed whatever process ends;
 * the caller waits for that some seconds.
 *
 * @throws AppError `project_not_found`; `idempotency_key_reused` if another call has the key; `payload_too_large` if
 *   the filter selects too many
 */
export async function decideInBulk(
  deps: DecideInBulkDeps,
  input: BulkRequest,
): Promise<BulkDecisionView> {
  const { project_id, filter } = input;
  await deps.request(checkScope, { project_id, service_id: null });
  await lapseExpired(deps, project_id);
  if (filter) await checkSize(deps, { ...filter, project_id });
  const job = await deps.bulk.begin(newJob(input));
  if (!job) throw new AppError('project_not_found');
  if (isAnother(job, input)) throw new AppError('idempotency_key_reused');
  return whenDone(deps, job._id);
}

/** The release before has no digests: the same call, repeated during an upgrade or after it, must not be refused. */
function isAnother(job: BulkDocument, { request_digest }: BulkRequest): boolean {
  const known = job.request_digest !== undefined && request_digest !== undefined;
  return known && job.request_digest !== request_digest;
}

/** Carries a bulk decision on, or waits while another process does; after some seconds it is as far as it is. */
async function whenDone(deps: DecideInBulkDeps, id: string): Promise<BulkDecisionView> {
  const end = performance.now() + waitMs;
  for (;;) {
    const working = continueBulk(deps, id).catch(() => undefined);
    await Promise.race([working, pause(end - performance.now())]);
    const job = await deps.bulk.byId(id);
    if (!job) throw new AppError('project_not_found');
    const view = await bulkView(deps, job);
    if (view.status === 'done' || performance.now() >= end) return view;
    await pause(lookEveryMs);
  }
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}

/** @throws AppError `acceptance_not_found` */
export async function readBulkDecision(
  deps: Pick<ContinueBulkDeps, 'bulk'>,
  named: { bulk_id: string; of_project: ProjectScope | null },
): Promise<BulkDecisionView> {
  return bulkView(deps, await existing(deps.bulk, named));
}

/** @throws AppError `acceptance_not_found` */
export async function existing(
  bulk: BulkStore,
  named: { bulk_id: string; of_project: ProjectScope | null },
): Promise<BulkDocument> {
  const job = await bulk.byId(named.bulk_id);
  if (!job || !isInScope(named.of_project, job.project_id))
    throw new AppError('acceptance_not_found');
  return job;
}

async function bulkView(
  { bulk }: Pick<ContinueBulkDeps, 'bulk'>,
  { _id: id, project_id, state, not_found, created_at }: BulkDocument,
): Promise<BulkDecisionView> {
  return {
    id,
    project_id,
    status: state === 'done' ? 'done' : 'running',
    decided: await bulk.count(id),
    not_found,
    created_at: created_at.toISOString(),
  };
}

async function checkSize(deps: DecideInBulkDeps, filter: ListFilters): Promise<void> {
  const { total } = await deps.lists.countBySeverity({ ...filter, statuses: ['open'] });
  if (total <= maxBulkSelected) return;
  const most = maxBulkSelected.toLocaleString('en');
  const many = total.toLocaleString('en');
  throw new AppError(
    'payload_too_large',
    `The filter selects ${many} vulnerabilities; one call decides about ${most} at most. Narrow it.`,
  );
}

function newJob(input: BulkRequest): BulkDocument {
  const { idempotency_key, request_digest, filter, vulnerability_ids } = input;
  return {
    _id: newId(),
    project_id: input.project_id,
    // A digest, so that no text of a client is a key.
    ...(idempotency_key !== undefined && {
      idempotency_key: createHash('sha256').update(idempotency_key).digest('hex'),
    }),
    ...(request_digest && { request_digest }),
    content: { ...contentOf(input), created_by: input.created_by ?? null },
    ...(filter && { filter }),
    ...(vulnerability_ids && { vulnerability_ids: [...new Set(vulnerability_ids)] }),
    created_at: new Date(),
    state: 'storing',
    position: null,
    service: '',
    not_found: 0,
    steps: 0,
  };
}
