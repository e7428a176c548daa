import { setTimeout as pause } from 'node:timers/promises';
import { readDataStatus } from '@bomtrail/messages';
import type { Difference } from '../domain/difference';
import { totalsDifference } from '../store/compare-stored';
import { pagesOfServices, type NamedService, type Scope } from './services-to-verify';
import { repairService, type Repair, type RepairServiceDeps } from './repair-service';
import { checkService, type CheckResult, type VerifyServiceDeps } from './verify-service';

/** What was found out about a line that is not as it should be, or could not be judged. */
export interface Verdict {
  /** Null: what is kept of all lines together. */
  service: NamedService | null;
  differences: Difference[];
  /** Why it cannot be said whether these are differences: work on the line has not ended in time. */
  undecided: string[];
  /** Null where nothing was repaired. `left`: what differs still. */
  repair: { did: Repair; left: Difference[] } | null;
}

/** Numbers of lines, and of differences in them. */
export interface Totals {
  services: number;
  /** Lines that differ, and differences in them. */
  differing: number;
  differences: number;
  /** Of the differing lines those that do no more. */
  repaired: number;
  undecided: number;
}

export interface VerifyServicesDeps {
  verify: VerifyServiceDeps;
  /** Null: nothing is repaired. */
  repair: RepairServiceDeps | null;
  /** Takes each line that is not right. */
  report: (verdict: Verdict) => void;
  /** Is told from time to time how far it is. */
  progress: (totals: Readonly<Totals>) => void;
  /** How long work that is under way on one line is waited for. */
  patienceMs: number;
}

const servicesAtOnce = 4;
/** Lines that are looked at again later; more of them are waited for before going on. */
const maxPostponed = 1_000;
const checkIntervalMs = 250;
const maxRepairs = 3;

/**
 * Looks at every line of the scope once, and again at those of which it cannot be said yet; repairs
 * those that differ, where that is asked for. Lines are held one page at a time, rows a few lines at a
 * time, whatever their number.
 *
 * @throws AppError `service_unavailable` while the catalog or the scanner does not answer
 */
export async function verifyServices(deps: VerifyServicesDeps, scope: Scope): Promise<Totals> {
  const totals: Totals = { services: 0, differing: 0, differences: 0, repaired: 0, undecided: 0 };
  let postponed: NamedService[] = [];
  for await (const page of pagesOfServices(deps.verify, scope)) {
    const { revision } = (await deps.verify.request(readDataStatus, {})).body;
    await inParallel(page, async (service) => {
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

/** The numbers that are kept of all lines together, read from one snapshot with what they sum up. */
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

/** Looks again at lines that differ until that is certain, or not so any more. */
async function resolvePostponed(
  deps: VerifyServicesDeps,
  totals: Totals,
  services: readonly NamedService[],
): Promise<void> {
  await inParallel(services, async (service) => {
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
  for (let round = 1; ; round += 1) {
    const did = await repairService(repairing, service);
    const { differences: left } = await checkUntilCertain(deps, service);
    // What was read without a ledger is counted by the next round.
    if (left.length === 0 || did !== 'recomputed' || round === maxRepairs) return { did, left };
  }
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

/** What cannot even be read is a difference of its line and no end of the walk. */
async function safely(check: () => Promise<CheckResult>): Promise<CheckResult> {
  try {
    return await check();
  } catch (error) {
    if (isAway(error)) throw error;
    return {
      differences: [
        {
          ...{ kind: 'unreadable', id: null, about: 'the whole service' },
          stored: (error as Error).message,
          expected: 'readable',
        },
      ],
      inProgress: [],
    };
  }
}

/** Is something that is asked not there, so that going on says nothing? */
function isAway(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return code === 'service_unavailable' || (typeof name === 'string' && /^Mongo/.test(name));
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: servicesAtOnce }, worker));
}
