import { garbageSweepSeconds } from '@bomtrail/deletion';
import { AppError } from '@bomtrail/messages';
import { eachAlone, type Sweep } from '@bomtrail/service-runtime';
import type { Logger } from '@bomtrail/telemetry';
import { applyAcceptance, type ApplyAcceptanceDeps } from '../decisions/apply-acceptance';
import { type SyncRiskDeps, syncRiskScores } from '../risk/sync-risk-scores';
import { updateStatistics, type UpdateStatisticsDeps } from '../statistics/update-statistics';
import type { VexFollower } from '../vex/follow-service';
import type { VexEvaluationStore } from '../vex/ports';
import { followOwners } from '../decisions/follow-owners';
import type { BulkDocument, RuleStore } from '../decisions/ports';
import { continueBulk, type ContinueBulkDeps } from '../decisions/continue-bulk';
import { completeRevocation } from '../decisions/delete-bulk';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';
import type { DetailsGarbage } from '../tracking/store/details-garbage';

const batchSize = 200;
const bulksAtOnce = 4;
const pendingMs = 10_000;
/** Services of one run to which VEX documents are applied. */
const vexServices = 100;

/** Until its first advisories are loaded, the scanner answers nothing; the next run tries again. */
function noneWithoutScanner(error: unknown): number {
  if (error instanceof AppError && error.code === 'service_unavailable') return 0;
  throw error;
}

/** Half of the sweep's lease. */
const statisticsMs = 15_000;

/** Sweeps of acceptances, risk values and statistics. */
export function reconcilerSweeps(
  deps: ApplyAcceptanceDeps &
    ContinueBulkDeps &
    LapseExpiredDeps &
    SyncRiskDeps &
    UpdateStatisticsDeps & {
      rules: RuleStore;
      vex: VexFollower;
      vexEvaluations: VexEvaluationStore;
    },
  log: Logger,
): Sweep[] {
  return [
    {
      name: 'pending-acceptances',
      everySeconds: 10,
      async run() {
        const pendingBefore = await deps.acceptances.pendingBefore(
          new Date(Date.now() - pendingMs),
          batchSize,
        );
        return eachAlone(pendingBefore, (acceptance) => applyAcceptance(deps, acceptance), log);
      },
    },
    {
      name: 'vex-services',
      everySeconds: 10,
      async run() {
        const pending = await deps.vexEvaluations.pending(vexServices);
        return eachAlone(pending, (service) => deps.vex.afterChange(service), log);
      },
    },
    {
      name: 'bulk-decisions',
      everySeconds: 10,
      async run() {
        const unfinished = await deps.bulk.unfinished(bulksAtOnce);
        const carryOn = async (job: BulkDocument): Promise<unknown> =>
          job.state === 'revoking' ? completeRevocation(deps, job) : continueBulk(deps, job._id);
        return eachAlone(unfinished, carryOn, log);
      },
    },
    {
      name: 'owned-rules',
      everySeconds: 30,
      async run() {
        const projects = await deps.rules.projectsWithOwned();
        return eachAlone(projects, (project) => followOwners(deps, project), log);
      },
    },
    {
      name: 'risk-scores',
      everySeconds: 15,
      run: () => syncRiskScores(deps).catch(noneWithoutScanner),
    },
    {
      name: 'statistics',
      everySeconds: 60,
      run: () => updateStatistics(deps, { now: new Date(), until: Date.now() + statisticsMs, log }),
    },
    {
      name: 'expired-acceptances',
      everySeconds: 2,
      run: () => lapseExpired(deps),
    },
  ];
}

/** Sweeps that mark and delete unused details. */
export function detailsSweeps(deps: { garbage: DetailsGarbage; graceMs: number }): Sweep[] {
  const { garbage, graceMs } = deps;
  const { drop, check } = garbageSweepSeconds(graceMs);
  return [
    {
      name: 'marked-details',
      everySeconds: drop,
      run: () => garbage.deleteUnused(new Date(Date.now() - graceMs)),
    },
    {
      name: 'unused-details',
      everySeconds: check,
      run: () => garbage.markUnused(new Date()),
    },
  ];
}
