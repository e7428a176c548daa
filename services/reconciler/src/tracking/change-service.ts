import { changeInParts, finishInParts, runPart, type ChangeInPartsDeps } from './change-in-parts';
import { computeVulnerabilities, type LoadedService } from './compute-vulnerabilities';
import { TooLargeError } from './domain/too-large-error';
import { onlyAcceptances, VexDecidesFirst, type Plan } from './plan';
import type { ChangeOutcome, SaveOutcome } from './ports';
import {
  changedIn,
  isCurrent,
  loadService,
  saveComputed,
  versionWrites,
  type ChangeDeps,
  type Loaded,
  type ToSave,
} from './stored-service';
import type { Service } from './domain/types';

/** A change that computes a service itself, whatever is stored. */
export interface Repair {
  /** Null: nothing is written. */
  repair(loaded: LoadedService): Promise<ToSave | null>;
}

/**
 * The only way to change a service: load, compute, save if it is unchanged, else repeat. Deleted services are not changed.
 * Acceptances that change between load and save are detected by the project's epoch afterwards; whoever creates an
 * acceptance looks for its vulnerabilities after storing it.
 *
 * Pending updates are finished first. A service that does not fit into memory is changed in parts.
 *
 * @returns `changed` if vulnerabilities were written, `deleted` if the service or its project was deleted
 * @throws VexDecidesFirst if the plan is for projects without VEX documents
 */
export async function changeService(
  deps: ChangeDeps,
  service: Service,
  plan: Plan | Repair,
): Promise<ChangeOutcome> {
  return deps.withKey(service.service_id, () => changeUntilDone(deps, service, plan));
}

async function changeUntilDone(
  deps: ChangeDeps,
  service: Service,
  plan: Plan | Repair,
): Promise<ChangeOutcome> {
  const inParts = { ...deps, changePart: (part: Plan) => changeUntilDone(deps, service, part) };
  let step = plan;
  let outcome: 'changed' | 'unchanged' = 'unchanged';
  for (;;) {
    const loaded = await loadService(deps, service);
    if (loaded === 'deleted') return loaded;
    if (loaded.hasVex && 'next' in step && step.unlessVex) throw new VexDecidesFirst();
    if (loaded.state?.pending_updates && 'next' in step) {
      if ((await finishInParts(inParts, service)) === 'deleted') return 'deleted';
      outcome = 'changed';
      continue;
    }
    const saved = await ('next' in step
      ? changeOnce(inParts, loaded, step)
      : repairOnce(deps, loaded, step));
    if (saved === 'deleted' || saved === 'changed') return saved;
    if (saved === 'lost') continue;
    // Acceptances created from here on find every vulnerability up to date.
    if (saved === 'unchanged') return outcome;
    outcome = 'changed';
    if (await isCurrent(deps, loaded, (loaded.state?.version ?? 0) + 1)) return outcome;
    step = onlyAcceptances();
  }
}

/** `changed`: a large change, which was completed. */
async function changeOnce(
  deps: ChangeInPartsDeps,
  loaded: Loaded,
  plan: Plan,
): Promise<SaveOutcome | 'unchanged' | 'changed'> {
  const work = async (): Promise<SaveOutcome | 'unchanged'> => {
    const change = await plan.next(loaded.state, false);
    const packages = change ? change.packages : plan.packages;
    const computed = await computeVulnerabilities(deps, loaded, { change, packages });
    if (!change && changedIn(computed).length === 0) return 'unchanged';
    return saveComputed(deps, loaded, { ...computed, also: versionWrites(loaded, change ?? {}) });
  };
  try {
    return await (plan.isPart ? runPart(deps, work) : work());
  } catch (error) {
    if (!(error instanceof TooLargeError)) throw error;
    return changeInParts(deps, loaded, plan);
  }
}

async function repairOnce(
  deps: ChangeDeps,
  loaded: Loaded,
  { repair }: Repair,
): Promise<SaveOutcome | 'unchanged'> {
  const repaired = await repair(loaded);
  return repaired ? saveComputed(deps, loaded, repaired) : 'unchanged';
}
