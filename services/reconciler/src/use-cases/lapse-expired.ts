import { createBatcher, type Leases } from '@bomtrail/service-kit';
import type { AcceptanceDocument } from '../store/documents';
import { applyAcceptances, type ApplyAcceptanceDeps } from './apply-acceptance';

/** Acceptances of one project that are brought into the rows together. */
const atOnce = 5_000;
const leaseCount = 64;
/** After this time without a sign of the process at work another one takes over. */
const leaseSeconds = 10;
const otherProcessPollMs = 50;
/** Callers that share one question. */
const callersAtOnce = 1_000;

/** What callers of `lapseExpired` in one process share. */
export interface Lapses {
  /** The projects in which an acceptance has expired that the rows still show; never from before the call. */
  projectsWithDue(): Promise<string[]>;
  /**
   * Brings what has expired in a project into its rows; gives how many. Shared while it is at work; 0
   * also after a short wait for another process that is at work.
   */
  applyDue(projectId: string): Promise<number>;
}

export interface LapseExpiredDeps {
  lapses: Lapses;
}

/**
 * Brings every acceptance whose time has passed into the rows before it resolves, so that an expiry
 * takes effect by time: whoever reads rows by state calls it first. It costs one indexed question when
 * there is none, shared by those who ask at the same moment; while the work lasts the caller waits,
 * up to the time that its own caller gives it.
 *
 * @param projectId only what has expired in this project, which may be found out meanwhile; all of them
 *   where none is given
 * @returns how many acceptances this process has brought in meanwhile
 * @throws where an expiry cannot be brought into the rows: then nothing right can be read
 */
export async function lapseExpired(
  deps: LapseExpiredDeps,
  projectId?: string | Promise<string>,
): Promise<number> {
  let lapsed = 0;
  for (;;) {
    const [projects, only] = await Promise.all([deps.lapses.projectsWithDue(), projectId]);
    const due = projects.filter((project) => project === (only ?? project));
    // Only a question that began after the call may end it: work in progress may have looked before.
    if (due.length === 0) return lapsed;
    for (const project of due) lapsed += await deps.lapses.applyDue(project);
  }
}

export function createLapses(deps: ApplyAcceptanceDeps & { leases: Leases }): Lapses {
  const running = new Map<string, Promise<number>>();

  async function applyBatch(projectId: string): Promise<number> {
    const due = await deps.acceptances.dueOf(projectId, atOnce);
    const active = due.filter(({ lapsed, pending }) => !lapsed && pending !== 'revert');
    // A stored fact before any row shows it: no other process takes it for valid afterwards.
    if (active.length > 0) {
      const ids = active.map(({ _id }) => _id);
      await deps.acceptances.lapse(projectId, ids);
    }
    const now = due.map((one): AcceptanceDocument => {
      return one.pending === 'revert' ? one : { ...one, lapsed: true, pending: 'apply' };
    });
    if (now.length > 0) await applyAcceptances(deps, projectId, now);
    return now.length;
  }

  /** One process at a time works on a project: several would only fight over its ledgers. */
  async function applyExclusively(projectId: string): Promise<number> {
    const lease = await deps.leases.acquire(leaseOf(projectId), leaseSeconds);
    if (!lease) {
      await new Promise((resolve) => setTimeout(resolve, otherProcessPollMs));
      return 0;
    }
    const renew = (): void => void lease.renew(leaseSeconds).catch(() => undefined);
    const renewal = setInterval(renew, (leaseSeconds * 1000) / 3);
    try {
      return await applyBatch(projectId);
    } finally {
      clearInterval(renewal);
      await lease.release();
    }
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

/** One of a fixed number, so that leases do not grow with projects. */
function leaseOf(projectId: string): string {
  return `lapse-acceptances:${Number.parseInt(projectId.slice(-4), 16) % leaseCount}`;
}
