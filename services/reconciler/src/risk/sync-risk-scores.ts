import { listRiskChanges } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { RiskStore } from './ports';
import { rateDetails } from './rate-details';

export interface SyncRiskDeps {
  request: Request;
  risk: RiskStore;
}

const pendingAtOnce = 1_000;

/**
 * Brings the risk values of all details up to date: of those stored since the last run, whose scores may
 * have changed while they were stored, and of those that name a CVE with a changed score. Idempotent; an
 * interrupted run is repeated from its start.
 *
 * @returns the number of details written
 */
export async function syncRiskScores(deps: SyncRiskDeps): Promise<number> {
  await deps.risk.countInterrupted();
  const applied = await deps.risk.revision();
  let written = await ratePending(deps);
  let target: number | null = null;
  for (let cve: string | null = ''; cve !== null;) {
    const page: { revision: number; scores: { cve: string }[]; next: string | null } = (
      await deps.request(listRiskChanges, { after_revision: applied, after_cve: cve })
    ).body;
    // Later changes than the first page's revision are listed again in the next run.
    target ??= page.revision;
    const details = await deps.risk.naming(page.scores.map((one) => one.cve));
    await deps.risk.write(await rateDetails(deps, details));
    written += details.length;
    cve = page.next;
  }
  if (target !== null && target !== applied) await deps.risk.setRevision(target);
  return written;
}

async function ratePending(deps: SyncRiskDeps): Promise<number> {
  let written = 0;
  for (;;) {
    const pending = await deps.risk.pending(pendingAtOnce);
    if (pending.length === 0) return written;
    await deps.risk.write(await rateDetails(deps, pending));
    written += pending.length;
  }
}
