import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { maySee, narrowed, type Caller } from '../domain/caller';
import type { PageRequest } from '../domain/page-envelope';

export interface AcceptanceDeps {
  request: Request;
}

const longestPage = 200;

export async function listAcceptances(
  deps: AcceptanceDeps,
  caller: Caller,
  asked: PageRequest & { project_id?: string },
): Promise<messages.PageOf<messages.AcceptanceView>> {
  const scope = narrowed(caller, asked.project_id);
  if (scope === 'nothing') return { items: [], total: 0 };
  return (await deps.request(messages.listAcceptances, { ...asked, project_id: scope.projectId }))
    .body;
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
  return (await deps.request(messages.createAcceptance, acceptance)).body;
}

/** @throws AppError `acceptance_not_found` */
export async function deleteAcceptance(
  deps: AcceptanceDeps,
  caller: Caller,
  acceptanceId: string,
): Promise<void> {
  if (caller.projectId !== null && !(await belongsTo(deps, caller.projectId, acceptanceId))) {
    throw new AppError('acceptance_not_found');
  }
  await deps.request(messages.deleteAcceptance, { acceptance_id: acceptanceId });
}

/** An acceptance never changes its project, so nothing can come between this look and the delete. */
async function belongsTo(
  deps: AcceptanceDeps,
  projectId: string,
  acceptanceId: string,
): Promise<boolean> {
  for (let page = 1; ; page += 1) {
    const asked = { project_id: projectId, page, per_page: longestPage };
    const { items, total } = (await deps.request(messages.listAcceptances, asked)).body;
    if (items.some((acceptance) => acceptance.id === acceptanceId)) return true;
    if (items.length === 0 || page * longestPage >= total) return false;
  }
}
