import { scanRequested } from '@bomtrail/messages';
import type { Announce } from '@bomtrail/service-kit';
import type { SbomDocument } from '../store/documents';
import type { LineStore } from '../store/line-store';
import type { SbomStore } from '../store/sbom-store';
import { ofLivingLines } from './living-lines';
import { scanReference } from './views';

const batchSize = 500;

/**
 * An advisory change moved the findings of a component set: every line that holds the set is
 * brought up to date, each by one work item for its newest SBOM with it. Gives how many lines.
 */
export async function requestRescans(
  deps: { sboms: SbomStore; lines: LineStore; announce: Announce },
  change: { digest: string; revision: number },
): Promise<number> {
  let lines = 0;
  let batch: SbomDocument[] = [];
  const flush = async (): Promise<void> => {
    const living = await ofLivingLines(deps, batch);
    lines += living.length;
    await deps.sboms.markRescans(living, change.revision, new Date());
    await Promise.all(
      living.map((sbom) =>
        deps.announce(
          scanRequested,
          scanReference(sbom, { revision: change.revision, attempt: 0 }),
        ),
      ),
    );
    batch = [];
  };
  for await (const sbom of deps.sboms.newestPerLine(change.digest)) {
    batch.push(sbom);
    if (batch.length >= batchSize) await flush();
  }
  await flush();
  return lines;
}
