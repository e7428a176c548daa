import { BenchFailure } from '../bench-failure';
import { pollUntil } from '../load/poll';
import { percentile } from '../measure/statistics';
import { requireSame } from '../verify/check-sboms';
import { newVersionsPerSet } from './backlog-new-sets';
import { measureRun } from './measure-run';
import { newProject } from './new-project';
import type { SharedScenario } from './scenario';
import type { ScenarioContext } from './scenario-context';

/**
 * Between two looks at `scan_status`; a latency is at most this much, and a read, too long. Asked more often,
 * the asking costs the stack more than the upload, and slows what it measures.
 */
const pauseMs = 10;
const timeoutMs = 30_000;

/** One upload at a time on an idle stack: how long somebody waits for the findings of one document. */
export const idleLatency: SharedScenario = {
  name: 'idle-latency',
  description: 'one upload at a time: from sending it until its findings can be read',
  size: { uploads: 30, clients: 1 },
  maxClients: 1,
  warmUpUploads: 5,
  run: async (context, size) => {
    const projectId = await newProject(context.api, 'Idle latency');
    const uploads = Array.from({ length: size.uploads }, (_, n) =>
      context.api.prepareUpload({
        ...{ projectId, serviceName: `service-${n + 1}` },
        document: context.sboms.newVersions(newVersionsPerSet),
      }),
    );
    return measureRun(context, size.uploads, async () => {
      const acceptMs: number[] = [];
      const findingsMs: number[] = [];
      for (const send of uploads) {
        const begin = performance.now();
        const id = await send();
        acceptMs.push(performance.now() - begin);
        await untilFindingsReadable(context, id);
        findingsMs.push(performance.now() - begin);
      }
      return {
        accept_ms_p50: percentile(acceptMs, 50),
        accept_ms_p95: percentile(acceptMs, 95),
        findings_ms_p50: percentile(findingsMs, 50),
        findings_ms_p95: percentile(findingsMs, 95),
      };
    });
  },
};

async function untilFindingsReadable(context: ScenarioContext, id: string): Promise<void> {
  const { api, reference, signal } = context;
  const sbom = await pollUntil(
    async () => {
      const state = await api.readSbom(id);
      return state.scan_status === 'pending' ? undefined : state;
    },
    { pauseMs, timeoutMs, signal, waitingFor: () => `SBOM ${id} is pending` },
  );
  requireSame(sbom, reference.vulnerabilities);
  const serviceId = sbom.service_id;
  if (serviceId === null) throw new BenchFailure(`SBOM ${id} belongs to no service`);
  const total = await pollUntil(
    async () => {
      const rows = await api.listActive(serviceId);
      return rows.listed > 0 ? rows.total : undefined;
    },
    { pauseMs, timeoutMs, signal, waitingFor: () => `no rows for the scanned SBOM ${id}` },
  );
  if (total !== reference.vulnerabilities) {
    const said = `lists ${total} vulnerabilities, not ${reference.vulnerabilities}`;
    throw new BenchFailure(`wrong result: the service of SBOM ${id} ${said}`);
  }
}
