import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { maySee, narrowed, type Caller } from '../api-keys/domain/caller';
import type { PageRequest } from '../shared/page-envelope';

export interface AcceptanceDeps {
  request: Request;
}

export async function listAcceptances(
  deps: AcceptanceDeps,
  caller: Caller,
  requested: PageRequest & { project_id?: string },
): Promise<messages.PageOf<messages.AcceptanceView>> {
  const scope = narrowed(caller, requested.project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  return (
    await deps.request(messages.listAcceptances, { ...requested, project_id: scope.projectId })
  ).body;
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
