import {
  AppError,
  checkScope,
  type AcceptanceView,
  type createAcceptance as definition,
  type RequestOf,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { v7 as newId } from 'uuid';
import { currentAliases } from '../tracking/domain/vulnerability-names';
import {
  allProjects,
  type AcceptanceDocument,
  type StoredContent,
} from '../tracking/store/documents';
import type { DeletionStore } from '../deletion/ports';
import { acceptanceView } from './acceptance-view';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';
import { slotsOf } from './domain/slots';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';

export type CreateAcceptanceDeps = ApplyAcceptanceDeps &
  LapseExpiredDeps & { request: Request; deletions: DeletionStore };

/** What a request says of a decision, beside its reason. Absent fields: `risk_accepted`, and null. */
export type RequestedContent = Partial<
  Pick<
    AcceptanceView,
    'decision' | 'justification' | 'detail' | 'ticket_url' | 'assignee' | 'expires_at'
  >
>;

type NewAcceptance = RequestOf<typeof definition>;

/** The same with the services of its scope; null: the whole project, or all. */
type ScopedDecision = Omit<NewAcceptance, 'service_id' | 'service_ids'> & {
  services: string[] | null;
};

/** Error codes by outcome of the store. */
const errorCodes = {
  exists: 'acceptance_exists',
  no_project: 'project_not_found',
  no_service: 'service_not_found',
} as const;

/**
 * Decides about a vulnerability, for its whole alias group, in a project or some of its services. When this
 * resolves, all lists reflect it. Expired decisions in the same scope are applied first, so they do not conflict.
 * If the caller stops waiting, the decision is stored and applied nevertheless.
 *
 * @throws AppError `project_not_found`, `service_not_found`, `vulnerability_not_found`, `acceptance_exists`
 */
export async function createAcceptance(
  deps: CreateAcceptanceDeps,
  input: NewAcceptance,
): Promise<AcceptanceView> {
  const { project_id, service_id, service_ids } = input;
  const services = service_ids ? [...new Set(service_ids)] : service_id && [service_id];
  const checked = (services || [null]).map((id) =>
    deps.request(checkScope, { project_id, service_id: id }),
  );
  await Promise.all(checked);
  return decide(deps, { ...input, services: services || null });
}

/**
 * Decides about the alias group of a vulnerability in all projects, now and later.
 *
 * @throws AppError `vulnerability_not_found`, `acceptance_exists`
 */
export async function createGlobalAcceptance(
  deps: CreateAcceptanceDeps,
  input: Omit<NewAcceptance, 'project_id' | 'service_id' | 'service_ids'>,
): Promise<AcceptanceView> {
  return decide(deps, { ...input, project_id: allProjects, services: null });
}

async function decide(deps: CreateAcceptanceDeps, input: ScopedDecision): Promise<AcceptanceView> {
  const { project_id } = input;
  const identity = await identityOf(deps, input);
  await lapseExpired(deps, project_id === allProjects ? undefined : project_id);
  const acceptance = newDecision({ ...input, identity });
  const outcome = await deps.acceptances.insert(acceptance);
  if (outcome !== 'done') throw new AppError(errorCodes[outcome]);
  await applyAcceptance(deps, acceptance);
  return acceptanceView(acceptance);
}

/** The alias group of a vulnerability. @throws AppError `vulnerability_not_found` */
async function identityOf(
  deps: Pick<CreateAcceptanceDeps, 'states' | 'deletions'>,
  { vulnerability_id, project_id }: ScopedDecision,
): Promise<string[]> {
  const vulnerability = await deps.states.vulnerabilityById(vulnerability_id);
  if (
    !vulnerability ||
    ![vulnerability.project_id, allProjects].includes(project_id) ||
    vulnerability.status === 'vanished' ||
    (await deps.deletions.isDeleted(vulnerability))
  ) {
    throw new AppError('vulnerability_not_found');
  }
  const current = currentAliases(vulnerability);
  return current.length > 0 ? current : vulnerability.identity;
}

/** What a decision says, as it is stored. */
export function contentOf(input: RequestedContent & { reason: string }): StoredContent {
  return {
    decision: input.decision ?? 'risk_accepted',
    reason: input.reason,
    justification: input.justification ?? null,
    detail: input.detail ?? null,
    ticket_url: input.ticket_url ?? null,
    assignee: input.assignee ?? null,
    expires_at: input.expires_at ? new Date(input.expires_at) : null,
  };
}

/** A person's decision that is not applied yet. */
export function newDecision(input: ScopedDecision & { identity: string[] }): AcceptanceDocument {
  const { project_id, services, identity } = input;
  const now = new Date();
  return {
    _id: newId(),
    project_id,
    services,
    vulnerability_id: input.vulnerability_id,
    identity,
    slots: slotsOf({ identity, services }),
    ...contentOf(input),
    source: 'manual',
    source_document: null,
    created_by: input.created_by ?? null,
    updated_by: null,
    created_at: now,
    updated_at: now,
    decided_at: now,
    former: [],
    lapsed: false,
    pending: 'apply',
  };
}
