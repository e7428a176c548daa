import { runBacklog } from './backlog';
import type { RunMeasurement } from './measure-run';
import { runToNewServices } from './new-services';
import type { RunSize, SharedScenario } from './scenario';
import type { ScenarioContext } from './scenario-context';

/**
 * What a nightly build of many services sends: every document is new in its bytes (serial number,
 * timestamp), its packages are those of the SBOM before. It must be parsed; nothing is left to match.
 */
export const nightlyFleet: SharedScenario = {
  name: 'nightly-fleet',
  description: 'the same packages in new documents, to services that have them already',
  size: { uploads: 600, clients: 32 },
  warmUpUploads: 200,
  run: runNightly,
};

/** The same documents, but every service is new: its rows must be made. */
export const nightlyNewServices: SharedScenario = {
  name: 'nightly-new-services',
  description: 'the same packages in new documents, each to a new service',
  size: { uploads: 300, clients: 32 },
  warmUpUploads: 200,
  run: (context, size) =>
    runToNewServices(context, size, {
      name: 'Nightly, new services',
      document: () => context.sboms.newIdentity(),
    }),
};

const mostServices = 300;

/** A new version of every service of the fleet with the packages that it has; of some two, when there are fewer services than uploads. */
export async function runNightly(context: ScenarioContext, size: RunSize): Promise<RunMeasurement> {
  const fleet = await context.fleetOf(Math.min(size.uploads, mostServices));
  const { projectId, services } = fleet;
  const active = await context.api.countActive(projectId);
  const rounds = Array.from({ length: Math.ceil(size.uploads / services.length) }, () =>
    fleet.nextVersion(),
  );
  const uploads = rounds
    .flatMap((version) => services.map((serviceName) => ({ projectId, serviceName, version })))
    .slice(0, size.uploads)
    .map((upload) =>
      context.api.prepareUpload({ ...upload, document: context.sboms.newIdentity() }),
    );
  return runBacklog(context, { projectId, uploads, clients: size.clients, active });
}
