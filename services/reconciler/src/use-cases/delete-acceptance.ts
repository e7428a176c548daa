import { AppError } from '@bomtrail/messages';
import { applyAcceptance, type ApplyAcceptanceDeps } from './apply-acceptance';

/**
 * Takes an acceptance back: when this resolves its vulnerabilities are open again. Of several
 * callers exactly one succeeds; the others are refused once the rows show it, so that whoever repeats
 * a call that was not answered reads right lists afterwards.
 *
 * @param named `of_project`: the only project that exists for the caller; none given when all do
 * @throws AppError `acceptance_not_found`
 */
export async function deleteAcceptance(
  deps: ApplyAcceptanceDeps,
  named: { acceptance_id: string; of_project?: string | null | undefined },
): Promise<void> {
  const acceptance = await deps.acceptances.byId(named.acceptance_id);
  if (!acceptance || (named.of_project ?? acceptance.project_id) !== acceptance.project_id) {
    throw new AppError('acceptance_not_found');
  }
  const isRevoked = await deps.acceptances.revoke(acceptance);
  await applyAcceptance(deps, { ...acceptance, pending: 'revert' });
  if (!isRevoked) throw new AppError('acceptance_not_found');
}
