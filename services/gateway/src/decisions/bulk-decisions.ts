import * as messages from '@bomtrail/messages';
import { actorOf } from '../access/actor-of';
import { AppError } from '@bomtrail/messages';
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
};

export interface NewBulkDecision extends Content {
  project_id: string;
  reason: string;
  filter?: Filter;
  vulnerability_ids?: string[];
  idempotency_key?: string;
}

/** The fields of a filter; another one is refused, because it would select more than was meant. */
const filterFields: readonly string[] = Object.keys(messages.listFilters.shape).filter(
  (name) => name !== 'project_id' && name !== 'service_id',
);

/**
 * Decides about many vulnerabilities.
 *
 * @throws ValidationError if fields contradict each other; AppError `project_not_found`, `payload_too_large`
 */
export async function decideInBulk(
  deps: AcceptanceDeps,
  caller: Caller,
  { filter, vulnerability_ids, ...decision }: NewBulkDecision,
): Promise<messages.BulkDecisionView> {
  checkContent(decision, decision.decision ?? 'risk_accepted');
  if ((filter === undefined) === (vulnerability_ids === undefined))
    throw contradiction('filter', 'Give exactly one of `filter` and `vulnerability_ids`');
  const unknown = Object.keys(filter ?? {}).find((name) => !filterFields.includes(name));
  if (unknown !== undefined)
    throw contradiction('filter', `A filter has no field ${JSON.stringify(unknown.slice(0, 100))}`);
  if (!maySee(caller, decision.project_id)) throw new AppError('project_not_found');
  const named = vulnerability_ids?.map((id) => id.toLowerCase());
  const services = filter?.service_ids?.map((id) => id.toLowerCase());
  const { overdue: isOverdue, ...selecting } = filter ?? {};
  // Decided is what is overdue at the time of this call.
  const overdue = await overdueFilter(deps, isOverdue, decision.project_id);
  const named_services = services && { service_ids: services };
  const request = {
    ...decision,
    ...(filter && { filter: { ...selecting, ...named_services, ...(overdue && { overdue }) } }),
    ...(named && { vulnerability_ids: named }),
    created_by: actorOf(caller),
  };
  return (await deps.request(messages.decideInBulk, request)).body;
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
