import { BenchFailure } from '../bench-failure';
import { inParallel } from '../load/in-parallel';
import { pollUntil } from '../load/poll';
import { percentile } from '../measure/statistics';
import type { Figures } from '../report/figures';
import { checkSboms } from '../verify/check-sboms';
import { measureRun, type RunMeasurement } from './measure-run';
import { newProject } from './new-project';
import type { ScenarioContext } from './scenario-context';

/** So long without a new row, and something hangs. */
const stalledMs = 60_000;
const longestRunMs = 20 * 60_000;

/**
 * Uploads all documents as fast as `clients` can, each to a new service of one new project, and waits until
 * all of them are in the lists. Whether they are is asked of the summary, which costs the stack next to
 * nothing; the last `scanned_at` counts too. Then every SBOM is checked, outside of the measured time.
 */
export async function runBacklog(
  context: ScenarioContext,
  load: { name: string; documents: readonly Buffer[]; clients: number },
): Promise<RunMeasurement> {
  const { api, reference, signal } = context;
  const projectId = await newProject(api, load.name);
  const count = load.documents.length;
  let ids: string[] = [];
  let startedAt = 0;
  let seconds = { accepted: 0, listed: 0 };
  const measured = await measureRun(context, count, async () => {
    const acceptMs: number[] = [];
    startedAt = Date.now();
    const begin = performance.now();
    ids = await inParallel(load.documents, load.clients, async (document, index) => {
      const sent = performance.now();
      const id = await api.upload({ projectId, serviceName: `service-${index + 1}`, document });
      acceptMs.push(performance.now() - sent);
      return id;
    });
    const accepted = (performance.now() - begin) / 1000;
    await untilListed(context, { projectId, rows: count * reference.vulnerabilities, count });
    seconds = { accepted, listed: (performance.now() - begin) / 1000 };
    return { accept_ms_p50: percentile(acceptMs, 50), accept_ms_p95: percentile(acceptMs, 95) };
  });
  const lastScan = await checkSboms({
    api,
    ids,
    vulnerabilities: reference.vulnerabilities,
    signal,
  });
  const processed = Math.max(seconds.listed, (lastScan - startedAt) / 1000);
  const rates: Figures = {
    accepted_per_second: count / seconds.accepted,
    processed_per_second: count / processed,
  };
  return { ...measured, figures: { ...rates, ...measured.figures } };
}

async function untilListed(
  context: ScenarioContext,
  wanted: { projectId: string; rows: number; count: number },
): Promise<void> {
  let listed = 0;
  let changedAt = performance.now();
  const waitingFor = (): string =>
    `the summary counts ${listed} open vulnerabilities, not ${wanted.rows} (of ${wanted.count} SBOMs)`;
  await pollUntil(
    async () => {
      const now = await context.api.countActive(wanted.projectId);
      if (now !== listed) changedAt = performance.now();
      listed = now;
      if (listed > wanted.rows) throw new BenchFailure(`wrong result: ${waitingFor()}`);
      if (performance.now() - changedAt > stalledMs) {
        throw new BenchFailure(`nothing happens any more: ${waitingFor()}`);
      }
      return listed === wanted.rows ? true : undefined;
    },
    { pauseMs: 50, timeoutMs: longestRunMs, signal: context.signal, waitingFor },
  );
}
