import { createHash } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { actorOf } from '../access/actor-of';
import { AppError } from '@bomtrail/messages';
import { inBoth, ownedServices, type OwnedBy } from '../projects/owned-services';
import { overdueFilter } from '../vulnerabilities/overdue-filter';
import { maySee, scopeOf, type Caller } from '../api-keys/domain/caller';
import {
  checkContent,
  contradiction,
  type AcceptanceDeps,
  type Content,
} from '../vulnerabilities/manage-acceptances';

type Filter = Omit<messages.ListFilters, 'project_id' | 'service_id' | 'overdue'> & {
  overdue?: boolean;
} & OwnedBy;

export interface NewBulkDecision extends Content {
  project_id: string;
  reason: string;
  filter?: Filter;
  vulnerability_ids?: string[];
  idempotency_key?: string;
}

/**
 * Decides about many vulnerabilities.
 *
 * @throws ValidationError if fields contradict each other; AppError `project_not_found`, `idempotency_key_reused`,
 *   `payload_too_large`
 */
export async function decideInBulk(
  deps: AcceptanceDeps,
  caller: Caller,
  asked: NewBulkDecision,
): Promise<messages.BulkDecisionView> {
  const { filter, vulnerability_ids, ...decision } = asked;
  checkContent(decision, decision.decision ?? 'risk_accepted');
  if ((filter === undefined) === (vulnerability_ids === undefined))
    throw contradiction('filter', 'Give exactly one of `filter` and `vulnerability_ids`');
  if (!maySee(caller, decision.project_id)) throw new AppError('project_not_found');
  const named = vulnerability_ids?.map((id) => id.toLowerCase());
  const selected = filter
    ? await selectedBy(deps, filter, decision.project_id)
    : { vulnerability_ids: named };
  const request = {
    ...decision,
    ...selected,
    ...(decision.idempotency_key !== undefined && { request_digest: digestOf(asked) }),
    created_by: actorOf(caller),
  };
  return (await deps.request(messages.decideInBulk, request)).body;
}

function digestOf(asked: NewBulkDecision): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex');
}

/** What a filter selects at the time of the call: what is overdue and who owns what is decided now. */
async function selectedBy(
  deps: AcceptanceDeps,
  { overdue: isOverdue, owner, label, service_ids, ...selecting }: Filter,
  project_id: string,
): Promise<{ filter: Omit<messages.ListFilters, 'project_id'> } | { vulnerability_ids: [] }> {
  const overdue = await overdueFilter(deps, isOverdue, project_id);
  const owned = await ownedServices(deps, { owner, label, at: ['body', 'filter'] }, project_id);
  const services = inBoth(
    service_ids?.map((id) => id.toLowerCase()),
    owned,
  );
  // No list of services selects all of them, an empty one nothing.
  if (services?.length === 0) return { vulnerability_ids: [] };
  const named = services && { service_ids: services };
  return { filter: { ...selecting, ...named, ...(overdue && { overdue }) } };
}

/** @throws AppError `acceptance_not_found` */
export async function readBulkDecision(
  deps: AcceptanceDeps,
  caller: Caller,
  bulk_id: string,
): Promise<messages.BulkDecisionView> {
  const named = { bulk_id, of_project: scopeOf(caller) };
  return (await deps.request(messages.readBulkDecision, named)).body;
}

/** @throws AppError `acceptance_not_found` */
export async function deleteBulkDecision(
  deps: AcceptanceDeps,
  caller: Caller,
  bulk_id: string,
): Promise<void> {
  await deps.request(messages.deleteBulkDecision, { bulk_id, of_project: scopeOf(caller) });
}
