import { percentile } from '../measure/statistics';
import { runToNewServices } from './new-services';
import { newVersionsPerSet } from './backlog-new-sets';
import { findingsReadable } from './findings-readable';
import { newProject } from './new-project';
import type { SharedScenario } from './scenario';

/** A backlog of one project must not make those of another one wait for its end. */
export const besideABacklog: SharedScenario = {
  name: 'beside-a-backlog',
  description: "single uploads of one project while another one's backlog is worked on",
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 200,
  async run(context, size) {
    const { api, sboms } = context;
    const projectId = await newProject(api, 'Beside a backlog');
    const document = (): Buffer => sboms.newVersions(newVersionsPerSet);
    const findingsMs: number[] = [];
    let isOver = false;
    const single = async (): Promise<void> => {
      const serviceName = `service-${findingsMs.length + 1}`;
      const begin = performance.now();
      const id = await api.upload({ projectId, serviceName, document: document() });
      await findingsReadable(context, id);
      findingsMs.push(performance.now() - begin);
    };
    let singles: Promise<void> | undefined;
    // They begin with the backlog, once the stack has settled.
    const untilIdle = async (): Promise<void> => {
      isOver = singles !== undefined;
      await singles;
      await context.untilIdle();
      singles ??= (async () => {
        do await single();
        while (!isOver);
      })();
      // The `await` above throws the failure.
      singles.catch(() => undefined);
    };
    const measured = await runToNewServices({ ...context, untilIdle }, size, {
      name: 'Backlog of another project',
      document,
    });
    return {
      ...measured,
      figures: {
        ...measured.figures,
        findings_ms_p50: percentile(findingsMs, 50),
        findings_ms_p95: percentile(findingsMs, 95),
      },
    };
  },
};
