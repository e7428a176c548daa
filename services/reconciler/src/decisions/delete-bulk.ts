import { AppError, type ProjectScope } from '@bomtrail/messages';
import { applyAcceptances, type ApplyAcceptanceDeps } from './apply-acceptance';
import type { BulkDocument, BulkStore } from './ports';
import { existing } from './decide-in-bulk';

/** Decisions revoked together. */
const revokedAtOnce = 2_000;

type DeleteBulkDeps = ApplyAcceptanceDeps & { bulk: BulkStore };

/**
 * Revokes every decision of a bulk decision; one that is still running ends. Another process completes what was
 * interrupted.
 *
 * @throws AppError `acceptance_not_found`
 */
export async function deleteBulkDecision(
  deps: DeleteBulkDeps,
  named: { bulk_id: string; of_project: ProjectScope | null },
): Promise<void> {
  const job = await existing(deps.bulk, named);
  await deps.bulk.revoke(job._id);
  const revoked = await completeRevocation(deps, job);
  if (revoked === 0 && job.revoked) throw new AppError('acceptance_not_found');
}

/** Revokes the decisions that are left of a revoked one; returns their number. */
export async function completeRevocation(
  deps: DeleteBulkDeps,
  { _id, project_id }: Pick<BulkDocument, '_id' | 'project_id'>,
): Promise<number> {
  let revoked = 0;
  for (;;) {
    const some = await deps.bulk.revokeSome(_id, revokedAtOnce);
    if (some.length === 0) break;
    revoked += some.length;
    const now = some.map((one) => ({ ...one, pending: 'revert' as const }));
    await applyAcceptances(deps, project_id, now);
  }
  await deps.bulk.revoked(_id);
  return revoked;
}
