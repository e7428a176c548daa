import {
  isInScope,
  AppError,
  type deleteAcceptance as definition,
  type RequestOf,
} from '@bomtrail/messages';
import { allProjects, type AcceptanceDocument } from '../tracking/store/documents';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';

/**
 * Revokes an acceptance. When this resolves, its vulnerabilities are open again. Of several concurrent
 * callers one succeeds; the others fail once the vulnerabilities are up to date, so that a caller who repeats
 * a lost call reads correct lists afterwards.
 *
 * @param named `of_project`: the only projects visible to the caller; none if all are. `is_global`: one for all
 *   projects, which no other call deletes
 * @returns its project; undefined if it was for all
 * @throws AppError `acceptance_not_found`, `acceptance_from_document`
 */
export async function deleteAcceptance(
  deps: ApplyAcceptanceDeps,
  named: RequestOf<typeof definition>,
): Promise<string | undefined> {
  const acceptance = await deps.acceptances.byId(named.acceptance_id);
  if (!acceptance || acceptance.rule || !isNamed(acceptance, named)) {
    throw new AppError('acceptance_not_found');
  }
  if (acceptance.source === 'vex') throw new AppError('acceptance_from_document');
  const isRevoked = await deps.acceptances.revoke(acceptance);
  await applyAcceptance(deps, { ...acceptance, pending: 'revert' });
  if (!isRevoked) throw new AppError('acceptance_not_found');
  return acceptance.project_id === allProjects ? undefined : acceptance.project_id;
}

function isNamed({ project_id }: AcceptanceDocument, named: RequestOf<typeof definition>): boolean {
  if (project_id === allProjects || named.is_global)
    return project_id === allProjects && named.is_global === true;
  return isInScope(named.of_project, project_id);
}
