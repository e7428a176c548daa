import { AppError, type ProjectScope } from '@bomtrail/messages';
import { applyAcceptances, type ApplyAcceptanceDeps } from './apply-acceptance';
import type { BulkStore } from './ports';
import { existing } from './decide-in-bulk';

/** Decisions revoked together. */
const revokedAtOnce = 2_000;

/**
 * Revokes every decision of a bulk decision, as long as there are any; one that is still running ends. Repeating
 * the call completes what was interrupted.
 *
 * @throws AppError `acceptance_not_found`
 */
export async function deleteBulkDecision(
  deps: ApplyAcceptanceDeps & { bulk: BulkStore },
  named: { bulk_id: string; of_project: ProjectScope | null },
): Promise<void> {
  const job = await existing(deps.bulk, named);
  await deps.bulk.revoke(job._id);
  let revoked = 0;
  for (;;) {
    const some = await deps.bulk.revokeSome(job._id, revokedAtOnce);
    if (some.length === 0) break;
    revoked += some.length;
    const now = some.map((one) => ({ ...one, pending: 'revert' as const }));
    await applyAcceptances(deps, job.project_id, now);
  }
  if (revoked === 0 && job.revoked) throw new AppError('acceptance_not_found');
}
