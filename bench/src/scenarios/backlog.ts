import { BenchFailure } from '../bench-failure';
import type { SendUpload } from '../load/api';
import { pollUntil } from '../load/poll';
import { acceptFigures, sendAll, type Sent } from '../load/send-all';
import { checkSboms } from '../verify/check-sboms';
import { measureRun, type RunMeasurement } from './measure-run';
import type { ScenarioContext } from './scenario-context';

const pauseMs = 50;
const longestRunMs = 10 * 60_000;
/** Which of the last uploads is the last one to be scanned nobody knows. */
const watched = 8;

export interface Backlog {
  projectId: string;
  uploads: readonly SendUpload[];
  clients: number;
  /** Services of the project that have findings in the end. */
  services: number;
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
    for (const id of sent.ids.slice(-watched)) await untilNotPending(context, id);
    return acceptFigures(sent);
  });
  const { vulnerabilities } = reference;
  const ids = sent?.ids ?? [];
  const lastScan = await checkSboms({ api, ids, vulnerabilities, signal });
  await requireVulnerabilities(context, load.projectId, load.services * vulnerabilities);
  const processed_per_second = ids.length / ((lastScan - startedAt) / 1000);
  return { ...measured, figures: { processed_per_second, ...measured.figures } };
}

async function untilNotPending({ api, signal }: ScenarioContext, id: string): Promise<void> {
  await pollUntil(
    async () => ((await api.readSbom(id)).scan_status === 'pending' ? undefined : true),
    { pauseMs, timeoutMs: longestRunMs, signal, waitingFor: () => `SBOM ${id} is pending` },
  );
}

async function requireVulnerabilities(
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
