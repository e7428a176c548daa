import { AppError } from '@bomtrail/messages';
import { applyAcceptance } from './apply-acceptance';
import type { ChangeLineDeps } from './change-line';

/**
 * Takes an acceptance back: when this resolves its vulnerabilities are open again. Of several
 * callers exactly one succeeds.
 *
 * @param named `of_project`: the only project that exists for the caller; none given when all do
 * @throws AppError `acceptance_not_found`
 */
export async function deleteAcceptance(
  deps: ChangeLineDeps,
  named: { acceptance_id: string; of_project?: string | null | undefined },
): Promise<void> {
  const acceptance = await deps.acceptances.byId(named.acceptance_id);
  if (
    !acceptance ||
    (named.of_project ?? acceptance.project_id) !== acceptance.project_id ||
    !(await deps.acceptances.revoke(acceptance))
  ) {
    throw new AppError('acceptance_not_found');
  }
  await applyAcceptance(deps, { ...acceptance, pending: 'revert' });
}
