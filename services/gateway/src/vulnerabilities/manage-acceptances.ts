import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { maySee, narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

type NamedAcceptance = components['schemas']['RiskAcceptanceResponse'];

export interface AcceptanceDeps {
  request: Request;
}

/** One page of acceptances, newest first, with names. */
export async function listAcceptances(
  deps: AcceptanceDeps,
  caller: Caller,
  requested: PageRequest & { project_id?: string; after?: messages.ListCursor | null },
): Promise<messages.PartOf<NamedAcceptance>> {
  const scope = narrowed(caller, requested.project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  const query = { ...requested, project_id: scope.projectId };
  const { body } = await deps.request(messages.listAcceptances, query);
  const service_ids = [...new Set(body.items.flatMap(({ service_id }) => service_id ?? []))];
  const project_ids = [...new Set(body.items.map(({ project_id }) => project_id))];
  const [services, projects] = await Promise.all([
    service_ids.length === 0
      ? []
      : deps.request(messages.nameServices, { service_ids }).then((named) => named.body),
    project_ids.length === 0
      ? []
      : deps.request(messages.nameProjects, { project_ids }).then((named) => named.body),
  ]);
  const serviceOf = new Map(services.map((one) => [one.service_id, one.service_name]));
  const projectOf = new Map(projects.map((one) => [one.project_id, one.project_name]));
  const items = body.items.map((acceptance) => ({
    ...acceptance,
    project_name: projectOf.get(acceptance.project_id) ?? null,
    service_name: serviceOf.get(acceptance.service_id ?? '') ?? null,
  }));
  return { ...body, items };
}

/** @throws AppError `project_`, `service_` and `vulnerability_not_found`, `acceptance_exists` */
export async function createAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  acceptance: {
    project_id: string;
    service_id: string | null;
    vulnerability_id: string;
    reason: string;
    expires_at: string | null;
  },
): Promise<messages.AcceptanceView> {
  if (!maySee(caller, acceptance.project_id)) throw new AppError('project_not_found');
  const created_by = { key_id: caller.keyId, key_prefix: caller.keyPrefix };
  return (await deps.request(messages.createAcceptance, { ...acceptance, created_by })).body;
}

/** @throws AppError `acceptance_not_found` */
export async function deleteAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  acceptanceId: string,
): Promise<void> {
  await deps.request(messages.deleteAcceptance, {
    acceptance_id: acceptanceId,
    of_project: caller.projectId,
  });
}
