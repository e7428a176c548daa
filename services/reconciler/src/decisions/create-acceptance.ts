import { AppError, checkScope, type AcceptanceView } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { v7 as newId } from 'uuid';
import { currentAliases } from '../tracking/domain/assign-status';
import type { AcceptanceDocument } from '../tracking/store/documents';
import type { DeletionStore } from '../deletion/ports';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';
import { lapseExpired, type LapseExpiredDeps } from './lapse-expired';

export interface NewAcceptance {
  project_id: string;
  service_id: string | null;
  vulnerability_id: string;
  reason: string;
  expires_at: string | null;
  /** The API key that creates it. */
  created_by?: AcceptanceView['created_by'] | undefined;
}

/** Error codes by outcome of the store. */
const errorCodes = {
  exists: 'acceptance_exists',
  no_project: 'project_not_found',
  no_service: 'service_not_found',
} as const;

/**
 * Accepts a vulnerability, for its whole alias group, in a project or a service. When this resolves, all
 * lists reflect it. Expired acceptances in the same scope are applied first, so they do not conflict. If the
 * caller stops waiting, the acceptance is stored and applied nevertheless.
 *
 * @throws AppError `project_not_found`, `service_not_found`, `vulnerability_not_found`, `acceptance_exists`
 */
export async function createAcceptance(
  deps: ApplyAcceptanceDeps & LapseExpiredDeps & { request: Request; deletions: DeletionStore },
  input: NewAcceptance,
): Promise<AcceptanceView> {
  const { project_id, service_id } = input;
  await deps.request(checkScope, { project_id, service_id });
  const vulnerability = await deps.states.vulnerabilityById(input.vulnerability_id);
  if (
    !vulnerability ||
    vulnerability.project_id !== project_id ||
    vulnerability.status === 'vanished' ||
    (await deps.deletions.isDeleted(vulnerability))
  ) {
    throw new AppError('vulnerability_not_found');
  }
  await lapseExpired(deps, project_id);
  const identity = currentAliases(vulnerability);
  const now = new Date();
  const acceptance: AcceptanceDocument = {
    _id: newId(),
    project_id,
    service_id,
    vulnerability_id: input.vulnerability_id,
    identity: identity.length > 0 ? identity : vulnerability.identity,
    reason: input.reason,
    created_by: input.created_by ?? null,
    expires_at: input.expires_at === null ? null : new Date(input.expires_at),
    created_at: now,
    updated_at: now,
    lapsed: false,
    pending: 'apply',
  };
  const outcome = await deps.acceptances.insert(acceptance);
  if (outcome !== 'done') throw new AppError(errorCodes[outcome]);
  await applyAcceptance(deps, acceptance);
  return acceptanceView(acceptance);
}

/** The API's record of an acceptance. */
export function acceptanceView(acceptance: AcceptanceDocument): AcceptanceView {
  return {
    id: acceptance._id,
    project_id: acceptance.project_id,
    service_id: acceptance.service_id,
    vulnerability_id: acceptance.vulnerability_id,
    reason: acceptance.reason,
    created_by: acceptance.created_by ?? null,
    expires_at: acceptance.expires_at?.toISOString() ?? null,
    created_at: acceptance.created_at.toISOString(),
    updated_at: acceptance.updated_at.toISOString(),
  };
}
