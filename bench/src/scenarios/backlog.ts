import { BenchFailure } from '../bench-failure';
import type { SendUpload } from '../load/api';
import { acceptFigures, sendAll, type Sent } from '../load/send-all';
import { checkSboms } from '../verify/check-sboms';
import { untilScanned } from '../verify/until-scanned';
import { measureRun, type RunMeasurement } from './measure-run';
import type { ScenarioContext } from './scenario-context';

const pauseMs = 50;
const timeoutMs = 10 * 60_000;
/** Uploads at the end that are polled: any of them may be scanned last. */
const watched = 8;

export interface Backlog {
  projectId: string;
  uploads: readonly SendUpload[];
  clients: number;
  /** Of each upload in turn, if not those of the reference. */
  vulnerabilities?: readonly number[];
  /** Open vulnerabilities of the project in the end. */
  active: number;
}

/**
 * Sends all uploads as fast as `clients` can, and waits until they are scanned. The end is the last
 * `scanned_at`: a record is `scanned` once its findings are in the lists. Only the last uploads are asked
 * for meanwhile; every SBOM and the lists are checked after the measured time.
 */
export async function runBacklog(context: ScenarioContext, load: Backlog): Promise<RunMeasurement> {
  const { api, reference, signal } = context;
  let sent: Sent | undefined;
  let startedAt = 0;
  const measured = await measureRun(context, load.uploads.length, async () => {
    startedAt = Date.now();
    sent = await sendAll(load.uploads, load.clients);
    for (const id of sent.ids.slice(-watched))
      await untilScanned(context, id, { pauseMs, timeoutMs });
    return acceptFigures(sent);
  });
  const { vulnerabilities = reference.vulnerabilities } = load;
  const ids = sent?.ids ?? [];
  const lastScan = await checkSboms({ api, ids, vulnerabilities, signal });
  await requireActive(context, load.projectId, load.active);
  const processed_per_second = ids.length / ((lastScan - startedAt) / 1000);
  return { ...measured, figures: { processed_per_second, ...measured.figures } };
}

async function requireActive(
  { api }: ScenarioContext,
  projectId: string,
  wanted: number,
): Promise<void> {
  const rows = await api.countActive(projectId);
  if (rows === wanted) return;
  throw new BenchFailure(
    `wrong result: the summary counts ${rows} open vulnerabilities, not ${wanted}`,
  );
}
