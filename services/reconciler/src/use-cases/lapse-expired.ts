import { createBatcher } from '@bomtrail/service-kit';
import { applyAcceptances, type ApplyAcceptanceDeps } from './apply-acceptance';

/** Acceptances of one project that are brought into the rows together. */
const atOnce = 500;
/** Callers that share one question. */
const callersAtOnce = 1_000;

/** What callers of `lapseExpired` in one process share. */
export interface Lapses {
  /** The projects in which an acceptance has expired that the rows still show; never from before the call. */
  projectsWithDue(): Promise<string[]>;
  /** Brings what has expired in a project into its rows; gives how many. Shared while it is at work. */
  settle(projectId: string): Promise<number>;
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
 * @param projectId only what has expired in this project, all of them where none is given
 * @returns how many acceptances it waited for
 * @throws where an expiry cannot be brought into the rows: then nothing right can be read
 */
export async function lapseExpired(deps: LapseExpiredDeps, projectId?: string): Promise<number> {
  let lapsed = 0;
  for (;;) {
    const projects = await deps.lapses.projectsWithDue();
    const asked = projects.filter((project) => project === (projectId ?? project));
    // Only a question that began after the call may end it: work in progress may have looked before.
    if (asked.length === 0) return lapsed;
    for (const project of asked) lapsed += await deps.lapses.settle(project);
  }
}

export function createLapses(deps: ApplyAcceptanceDeps): Lapses {
  const atWork = new Map<string, Promise<number>>();

  async function settleOf(projectId: string): Promise<number> {
    for (let settled = 0; ;) {
      const due = await deps.acceptances.dueOf(projectId, atOnce);
      if (due.length === 0) return settled;
      const reverted = due.filter(({ pending }) => pending === 'revert');
      const others = due.filter(({ pending }) => pending !== 'revert');
      const inForce = others.filter(({ lapsed }) => !lapsed).map(({ _id }) => _id);
      // A stored fact before any row shows it: no other process takes it for valid afterwards.
      if (inForce.length > 0) await deps.acceptances.lapse(projectId, inForce);
      await applyAcceptances(deps, projectId, [
        ...reverted,
        ...others.map((one) => ({ ...one, lapsed: true, pending: 'apply' as const })),
      ]);
      settled += due.length;
    }
  }

  return {
    projectsWithDue: createBatcher<void, string[]>(async (callers) => {
      const projects = await deps.acceptances.projectsWithDue();
      return callers.map(() => projects);
    }, callersAtOnce),
    settle(projectId) {
      const work =
        atWork.get(projectId) ?? settleOf(projectId).finally(() => atWork.delete(projectId));
      atWork.set(projectId, work);
      return work;
    },
  };
}
