import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '@bomtrail/concurrency';
import { isInScope, type ProjectScope } from '@bomtrail/messages';
import type { Leases } from '@bomtrail/mongo';
import { allProjects, type AcceptanceDocument } from '../tracking/store/documents';
import { ExpiryDueError } from './store/pending-acceptances';
import { applyAcceptances, type ApplyAcceptanceDeps } from './apply-acceptance';
import { underLease } from './under-lease';

/** Maximum number of acceptances applied together. */
const atOnce = 5_000;
const leaseCount = 64;
const otherProcessPollMs = 50;
/** Callers that share one query. */
const callersAtOnce = 1_000;

/** Shared by all callers of `lapseExpired` in a process. */
export interface Lapses {
  /** Projects with expired acceptances that the vulnerabilities still reflect; read after the call. */
  projectsWithDue(): Promise<string[]>;
  /**
   * Applies the expired acceptances of a project; returns their number. Concurrent calls share the work.
   * Returns 0 after a short wait if another process is at work.
   */
  applyDue(projectId: string): Promise<number>;
}

export interface LapseExpiredDeps {
  lapses: Lapses;
}

/**
 * Applies every expired acceptance before it resolves, so that an expiry takes effect in time. Every read by
 * status calls it first, or is `withExpiriesApplied`. Without expired acceptances it costs one indexed query, shared by concurrent
 * callers; otherwise the caller waits for the work, up to its own timeout.
 *
 * @param within limits it to projects, one of which may be looked up concurrently
 * @returns the number of acceptances applied by this process
 * @throws if an expiry cannot be applied: then no correct result can be read
 */
export async function lapseExpired(
  deps: LapseExpiredDeps,
  within?: ProjectScope | Promise<string>,
): Promise<number> {
  let lapsed = 0;
  for (;;) {
    const [projects, only] = await Promise.all([deps.lapses.projectsWithDue(), within]);
    const due = projects.filter((project) => isInScope(only, project) || project === allProjects);
    // Only a query that began after the call may end the loop.
    if (due.length === 0) return lapsed;
    for (const project of due) lapsed += await deps.lapses.applyDue(project);
  }
}

/**
 * Reads without expired acceptances: the read itself finds in its snapshot whether one has to be applied, which saves the
 * query of `lapseExpired`, and is then repeated.
 *
 * @param read throws ExpiryDueError if one in these projects is due
 * @throws like `lapseExpired`
 */
export async function withExpiriesApplied<Result>(
  deps: LapseExpiredDeps,
  within: ProjectScope | undefined,
  read: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof ExpiryDueError)) throw error;
    }
    await lapseExpired(deps, within);
  }
}

export function createLapses(deps: ApplyAcceptanceDeps & { leases: Leases }): Lapses {
  const running = new Map<string, Promise<number>>();

  async function applyBatch(projectId: string): Promise<number> {
    const due = await deps.acceptances.dueOf(projectId, atOnce);
    const active = due.filter(({ lapsed, pending }) => !lapsed && pending !== 'revert');
    // Record it before any vulnerability shows it, so that no other process considers it active afterwards.
    if (active.length > 0) {
      const ids = active.map(({ _id }) => _id);
      await deps.acceptances.lapse(ids);
    }
    const now = due.map((one): AcceptanceDocument => {
      return one.pending === 'revert' ? one : { ...one, lapsed: true, pending: 'apply' };
    });
    if (now.length > 0) await applyAcceptances(deps, projectId, now);
    return now.length;
  }

  /** One process at a time per project: several would conflict on its service states. */
  async function applyExclusively(projectId: string): Promise<number> {
    const applied = await underLease(deps.leases, leaseOf(projectId), () => applyBatch(projectId));
    if (applied === null) await sleep(otherProcessPollMs);
    return applied ?? 0;
  }

  return {
    projectsWithDue: createBatcher<void, string[]>(async (callers) => {
      const projects = await deps.acceptances.projectsWithDue();
      return callers.map(() => projects);
    }, callersAtOnce),
    applyDue(projectId) {
      const work =
        running.get(projectId) ??
        applyExclusively(projectId).finally(() => running.delete(projectId));
      running.set(projectId, work);
      return work;
    },
  };
}

/** A fixed number of leases, independent of the number of projects. */
function leaseOf(projectId: string): string {
  const share =
    projectId === allProjects ? 'all' : Number.parseInt(projectId.slice(-4), 16) % leaseCount;
  return `lapse-acceptances:${share}`;
}
