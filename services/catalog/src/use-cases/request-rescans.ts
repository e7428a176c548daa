import { scanRequested } from '@bomtrail/messages';
import type { Announce } from '@bomtrail/service-kit';
import { firstRescanRetry } from '../domain/retry-schedule';
import type { LineStore } from '../store/line-store';
import type { SbomStore } from '../store/sbom-store';
import { ofLivingLines } from './living-lines';
import { scanReference } from './views';

const linesPerBatch = 500;

/**
 * An advisory change moved the findings of component sets: every line that holds one is brought up to
 * date by one work item, for its newest SBOM with one of them. Whoever handles it recomputes the whole
 * line, so that its older SBOMs follow too. Gives how many lines.
 */
export async function requestRescans(
  deps: { sboms: SbomStore; lines: LineStore; announce: Announce },
  change: { digests: readonly string[]; revision: number; changed_at: string | null },
): Promise<number> {
  const { digests, revision } = change;
  const changed_at = change.changed_at === null ? null : new Date(change.changed_at);
  let lines = 0;
  for await (const batch of deps.sboms.newestPerLine(digests, linesPerBatch)) {
    const living = await ofLivingLines(deps, batch);
    lines += living.length;
    const retry_at = firstRescanRetry(new Date(), lines);
    await deps.sboms.markRescans(living, { revision, changed_at, retry_at });
    await Promise.all(
      living.map((sbom) =>
        deps.announce(scanRequested, scanReference(sbom, { revision, attempt: 0, changed_at })),
      ),
    );
  }
  return lines;
}
