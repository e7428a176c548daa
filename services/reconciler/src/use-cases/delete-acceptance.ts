import { AppError } from '@bomtrail/messages';
import { applyAcceptance } from './apply-acceptance';
import type { ChangeLineDeps } from './change-line';

/**
 * Takes an acceptance back: when this resolves its vulnerabilities are open again. Of several
 * callers exactly one succeeds.
 *
 * @throws AppError `acceptance_not_found`
 */
export async function deleteAcceptance(deps: ChangeLineDeps, id: string): Promise<void> {
  const acceptance = await deps.acceptances.byId(id);
  if (!acceptance || !(await deps.acceptances.revoke(acceptance))) {
    throw new AppError('acceptance_not_found');
  }
  await applyAcceptance(deps, { ...acceptance, pending: 'revert' });
}
