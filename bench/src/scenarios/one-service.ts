import { runBacklog } from './backlog';
import { newVersionsPerSet } from './backlog-new-sets';
import { newProject } from './new-project';
import type { SharedScenario } from './scenario';

/** The versions of one service all at once: each of them changes the same service. */
export const oneService: SharedScenario = {
  name: 'one-service',
  description: 'new versions of one service, each with a new component set',
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 200,
  async run(context, size) {
    const { api, sboms } = context;
    const projectId = await newProject(api, 'One service');
    const uploads = Array.from({ length: size.uploads }, (_, n) =>
      api.prepareUpload({
        projectId,
        serviceName: 'monorepo',
        version: `1.${n + 1}.0`,
        document: sboms.newVersions(newVersionsPerSet),
      }),
    );
    const active = context.reference.vulnerabilities;
    return runBacklog(context, { projectId, uploads, clients: size.clients, active });
  },
};
