import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../load/caller';
import type { PlayedProject } from '../load/played-project';
import type { Witness } from '../witness';

const pollMs = 100;

/**
 * Waits until everything that was uploaded before now is scanned.
 *
 * @returns how long that took; what did not end within that time is noted as late
 */
export async function awaitScans(
  { caller, witness }: { caller: Caller; witness: Witness },
  projects: readonly PlayedProject[],
  withinMs: number,
): Promise<number> {
  const begun = Date.now();
  const waiting = projects.flatMap((project) =>
    [...project.pending].map((id) => ({ project, id })),
  );
  let last = begun;
  for (const { project, id } of waiting) {
    while (project.pending.has(id)) {
      if (await isSettled(project, id)) project.pending.delete(id);
      else if (Date.now() - begun > withinMs) {
        witness.differs(
          'late',
          `SBOM ${id} is not scanned ${withinMs / 1000} s after the recovery`,
        );
        return Date.now() - begun;
      } else await sleep(pollMs);
    }
    last = Date.now();
  }
  return last - begun;

  async function isSettled(project: PlayedProject, id: string): Promise<boolean> {
    const detail = await caller.json<{ scan_status: string; scan_error: string | null }>({
      path: `/api/v1/sboms/${id}`,
    });
    const isGone = project.isDeleted || project.goneSboms.has(id);
    if (detail?.scan_status === 'failed')
      witness.differs('lost', `the scan of SBOM ${id} failed: ${detail.scan_error}`);
    // A delete that is under way is known to the model once it is answered.
    return isGone || (detail !== undefined && detail.scan_status !== 'pending');
  }
}
