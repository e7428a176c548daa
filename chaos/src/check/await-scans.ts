import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../load/caller';
import type { DrivenProject } from '../load/driven-project';
import type { Witness } from '../witness';

const pollMs = 100;
/** As many are asked for at once: one after the other would take longer than the scans. */
const lanes = 8;

/**
 * Waits until everything that was uploaded before now is scanned.
 *
 * @returns how long that took; what did not end within that time is noted as late
 */
export async function awaitScans(
  { caller, witness }: { caller: Caller; witness: Witness },
  projects: readonly DrivenProject[],
  withinMs: number,
): Promise<number> {
  const begun = Date.now();
  const waiting = projects.flatMap((project) =>
    [...project.pending].map((id) => ({ project, id })),
  );
  let last = begun;
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) =>
      awaitLane(waiting.filter((_one, index) => index % lanes === lane)),
    ),
  );
  return last - begun;

  async function awaitLane(own: typeof waiting): Promise<void> {
    for (const { project, id } of own) {
      while (project.pending.has(id)) {
        if (await isFinished(project, id)) project.pending.delete(id);
        else if (Date.now() - begun > withinMs) {
          last = Date.now();
          witness.differs(
            'late',
            `SBOM ${id} is not scanned ${withinMs / 1000} s after the recovery`,
          );
          return;
        } else await sleep(pollMs);
      }
      last = Date.now();
    }
  }

  async function isFinished(project: DrivenProject, id: string): Promise<boolean> {
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
