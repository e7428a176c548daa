import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { scopeOf, maySee, narrowed, type Caller } from '../api-keys/domain/caller';
import { actorOf } from '../access/actor-of';
import { namesOf, type NamingDeps } from '../projects/service-names';
import { ValidationError } from '../shared/http-error';
import type { PageRequest } from '../shared/page-envelope';

type NamedAcceptance = components['schemas']['RiskAcceptanceResponse'];

export type AcceptanceDeps = NamingDeps;

/** What a list of decisions is limited to. */
export interface AcceptanceFilter {
  project_id?: string;
  decision?: messages.DecisionKind[];
  source?: messages.DecisionSource;
  expires_before?: string;
}

/** What a decision says, as clients give it. */
export type Content = Partial<
  Pick<
    messages.AcceptanceView,
    'decision' | 'justification' | 'detail' | 'ticket_url' | 'assignee' | 'expires_at'
  >
>;

/** A new decision; absent fields: `risk_accepted`, and null. */
export interface NewAcceptance extends Content {
  project_id: string;
  service_id?: string | null;
  service_ids?: string[] | null;
  vulnerability_id: string;
  reason: string;
}

/** A change of a decision; absent fields stay. */
export interface AcceptanceChange extends Content {
  reason?: string;
}

/** One page of acceptances, newest first, with names. */
export async function listAcceptances(
  deps: AcceptanceDeps,
  caller: Caller,
  requested: PageRequest & AcceptanceFilter & { after?: messages.ListCursor | null },
): Promise<messages.PartOf<NamedAcceptance>> {
  const scope = narrowed(caller, requested.project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  const query = { ...requested, project_id: scope.projectId };
  const { body } = await deps.request(messages.listAcceptances, query);
  const ofServices = body.items.flatMap((one) => one.service_ids ?? []);
  const project_ids = [...new Set(body.items.map(({ project_id }) => project_id))];
  const [services, projects] = await Promise.all([
    namesOf(deps, ofServices),
    project_ids.length === 0
      ? []
      : deps.request(messages.nameProjects, { project_ids }).then((named) => named.body),
  ]);
  const serviceOf = (id: string) => services.get(id)?.service_name ?? null;
  const projectOf = new Map(projects.map((one) => [one.project_id, one.project_name]));
  const items = body.items.map((acceptance) => ({
    ...acceptance,
    project_name: projectOf.get(acceptance.project_id) ?? null,
    service_name: serviceOf(acceptance.service_id ?? ''),
    service_names: acceptance.service_ids?.map(serviceOf) ?? null,
  }));
  return { ...body, items };
}

/**
 * @throws ValidationError if fields contradict each other; AppError `project_`, `service_` and
 *   `vulnerability_not_found`, `acceptance_exists`
 */
export async function createAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  acceptance: NewAcceptance,
): Promise<messages.AcceptanceView> {
  checkContent(acceptance, acceptance.decision ?? 'risk_accepted');
  const { service_id = null, service_ids = null } = acceptance;
  if (service_id !== null && service_ids !== null)
    throw contradiction('service_ids', 'Give `service_id` or `service_ids`, not both');
  if (!maySee(caller, acceptance.project_id)) throw new AppError('project_not_found');
  const created_by = actorOf(caller);
  const request = { ...acceptance, service_id, service_ids, created_by };
  return (await deps.request(messages.createAcceptance, request)).body;
}

/**
 * Changes what a decision says.
 *
 * @throws ValidationError if fields contradict each other; AppError `acceptance_not_found`,
 *   `acceptance_expired`, `acceptance_from_document`, `acceptance_changed_too_often`
 */
export async function updateAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  changed: { acceptance_id: string; changes: AcceptanceChange },
): Promise<messages.AcceptanceView> {
  const { acceptance_id, changes } = changed;
  checkContent(changes, changes.decision);
  const request = {
    acceptance_id,
    ...changes,
    of_project: scopeOf(caller),
    updated_by: actorOf(caller),
  };
  const { body } = await deps.request(messages.updateAcceptance, request);
  checkContent(changes, body.decision);
  return body;
}

/** Fields of the body that contradict each other. */
export function contradiction(field: string, msg: string): ValidationError {
  return new ValidationError([{ loc: ['body', field], type: 'value_error', msg }]);
}

/** Only `not_affected` has a justification. `decision`: undefined if it stays what it was. */
export function checkContent(
  { justification }: Pick<Content, 'justification'>,
  decision: messages.DecisionKind | undefined,
): void {
  if (justification && decision !== undefined && decision !== 'not_affected')
    throw contradiction('justification', 'Only the decision `not_affected` has a justification');
}

/**
 * @returns its project, if it is known
 * @throws AppError `acceptance_not_found`
 */
export async function deleteAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  acceptanceId: string,
): Promise<string | undefined> {
  const named = { acceptance_id: acceptanceId, of_project: scopeOf(caller) };
  return (await deps.request(messages.deleteAcceptance, named)).body.project_id;
}
