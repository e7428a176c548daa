import { percentile } from '../measure/statistics';
import { newVersionsPerSet } from './backlog-new-sets';
import { findingsReadable } from './findings-readable';
import { measureRun } from './measure-run';
import { newProject } from './new-project';
import type { SharedScenario } from './scenario';

/** One upload at a time on an idle stack: time until the findings of one document are readable. */
export const idleLatency: SharedScenario = {
  name: 'idle-latency',
  description: 'one upload at a time: from sending it until its findings can be read',
  size: { uploads: 30, clients: 1 },
  maxClients: 1,
  warmUpUploads: 150,
  run: async (context, size) => {
    const projectId = await newProject(context.api, 'Idle latency');
    const uploads = Array.from({ length: size.uploads }, (_, n) =>
      context.api.prepareUpload({
        projectId,
        serviceName: `service-${n + 1}`,
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
        await findingsReadable(context, id);
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
