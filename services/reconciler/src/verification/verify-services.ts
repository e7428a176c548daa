import { setTimeout as pause } from 'node:timers/promises';
import { readDataStatus } from '@bomtrail/messages';
import { type Difference, ofWholeService } from './domain/difference';
import { totalsDifference } from './store/compare-stored';
import { pagesOfServices, type NamedService, type Scope } from './services-to-verify';
import { repairService, type Repair, type RepairServiceDeps } from './repair-service';
import { checkService, type CheckResult, type VerifyServiceDeps } from './verify-service';
import { inParallel } from '../tracking/in-parallel';

/** The findings on a service that differs or could not be checked. */
export interface Verdict {
  /** Null: the totals over all services. */
  service: NamedService | null;
  differences: Difference[];
  /** Work in progress, because of which the differences are undecided. */
  undecided: string[];
  /** Null if nothing was repaired. `left`: the remaining differences. */
  repair: { did: Repair; left: Difference[] } | null;
}

/** Counts of a run. */
export interface Totals {
  services: number;
  /** Services with differences, and the number of differences. */
  differing: number;
  differences: number;
  /** Services without differences after the repair. */
  repaired: number;
  undecided: number;
}

export interface VerifyServicesDeps {
  verify: VerifyServiceDeps;
  /** Null: check only. */
  repair: RepairServiceDeps | null;
  /** Receives each service that differs or is undecided. */
  report: (verdict: Verdict) => void;
  /** Receives the counts from time to time. */
  progress: (totals: Readonly<Totals>) => void;
  /** How long to wait for work in progress on a service. */
  patienceMs: number;
}

const servicesAtOnce = 4;
/** Services to check again later; if there are more, they are checked before going on. */
const maxPostponed = 1_000;
const checkIntervalMs = 250;

/**
 * Checks every service of the scope once, checks again those with differences, and repairs them if requested.
 * Memory holds one page of services and the vulnerabilities of a few.
 *
 * @throws AppError `service_unavailable` if the catalog or the scanner is unavailable
 */
export async function verifyServices(deps: VerifyServicesDeps, scope: Scope): Promise<Totals> {
  const totals: Totals = { services: 0, differing: 0, differences: 0, repaired: 0, undecided: 0 };
  let postponed: NamedService[] = [];
  for await (const page of pagesOfServices(deps.verify, scope)) {
    const { revision } = (await deps.verify.request(readDataStatus, {})).body;
    await inParallel(page, servicesAtOnce, async (service) => {
      const result = await safely(() => checkService(deps.verify, { ...service, revision }));
      if (result.differences.length > 0) postponed.push(service);
      totals.services += 1;
      deps.progress(totals);
    });
    if (postponed.length < maxPostponed) continue;
    await resolvePostponed(deps, totals, postponed);
    postponed = [];
  }
  await resolvePostponed(deps, totals, postponed);
  if (scope.service_id === undefined && scope.project_id === undefined)
    await checkTotals(deps, totals);
  return totals;
}

/** Compares the total of open vulnerabilities with the sum over all services, from one snapshot. */
async function checkTotals(deps: VerifyServicesDeps, totals: Totals): Promise<void> {
  const { checks } = deps.verify;
  const differences = totalsDifference(await checks.openTotals());
  if (differences.length === 0) return;
  totals.differing += 1;
  totals.differences += 1;
  let repair: Verdict['repair'] = null;
  if (deps.repair) {
    await checks.repairOpenTotals();
    repair = { did: 'recomputed', left: totalsDifference(await checks.openTotals()) };
    if (repair.left.length === 0) totals.repaired += 1;
  }
  deps.report({ service: null, differences, undecided: [], repair });
}

/** Checks services again until their differences are certain or gone. */
async function resolvePostponed(
  deps: VerifyServicesDeps,
  totals: Totals,
  services: readonly NamedService[],
): Promise<void> {
  await inParallel(services, servicesAtOnce, async (service) => {
    const { differences, inProgress } = await checkUntilCertain(deps, service);
    if (differences.length === 0) return;
    if (inProgress.length > 0) {
      totals.undecided += 1;
      deps.report({ service, differences, undecided: inProgress, repair: null });
      return;
    }
    totals.differing += 1;
    totals.differences += differences.length;
    const repair = deps.repair && (await repaired(deps, deps.repair, service));
    if (repair?.left.length === 0) totals.repaired += 1;
    deps.report({ service, differences, undecided: [], repair });
    deps.progress(totals);
  });
}

async function repaired(
  deps: VerifyServicesDeps,
  repairing: RepairServiceDeps,
  service: NamedService,
): Promise<Verdict['repair']> {
  const did = await repairService(repairing, service);
  const { differences: left } = await checkUntilCertain(deps, service);
  return { did, left };
}

async function checkUntilCertain(
  deps: VerifyServicesDeps,
  service: NamedService,
): Promise<CheckResult> {
  const until = Date.now() + deps.patienceMs;
  for (;;) {
    const { revision } = (await deps.verify.request(readDataStatus, {})).body;
    const result = await safely(() => checkService(deps.verify, { ...service, revision }));
    if (result.differences.length === 0 || result.inProgress.length === 0) return result;
    if (Date.now() >= until) return result;
    await pause(checkIntervalMs);
  }
}

/** Reports an unreadable service as a difference instead of ending the run. */
async function safely(check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    if (isAway(error)) throw error;
    const unreadable = ofWholeService('unreadable', (error as Error).message, 'readable');
    return { differences: [unreadable], inProgress: [] };
  }
}

/** Whether a dependency is unavailable, so that going on is pointless. */
function isAway(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'service_unavailable' || (typeof name === 'string' && /^Mongo/.test(name));
}
