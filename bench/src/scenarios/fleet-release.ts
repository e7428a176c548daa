import { runBacklog } from './backlog';
import type { SharedScenario } from './scenario';

const mostServices = 1000;

/**
 * What the pipelines of many services send: a new version of each with 3 to 20 packages in other
 * versions and 0 to 3 findings more or fewer.
 */
export const fleetRelease: SharedScenario = {
  name: 'fleet-release',
  description: 'a new version of each of 1,000 services: 3 to 20 moved packages, 0 to 3 findings',
  size: { uploads: 1000, clients: 32 },
  warmUpUploads: 200,
  async run(context, { uploads: count, clients }) {
    const fleet = await context.releaseFleetOf(Math.min(count, mostServices));
    const releases = fleet.nextReleases(count);
    return runBacklog(context, {
      projectId: fleet.projectId,
      uploads: releases.map(({ upload }) => context.api.prepareUpload(upload)),
      clients,
      vulnerabilities: releases.map(({ vulnerabilities }) => vulnerabilities),
      active: fleet.countActive(),
    });
  },
};
