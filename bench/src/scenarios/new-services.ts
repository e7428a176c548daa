import type { Transport } from '../transports/transport';
import type { RunMeasurement } from './measure-run';
import { newProject } from './new-project';
import { runBacklog } from './backlog';
import type { RunSize } from './scenario';
import type { ScenarioContext } from './scenario-context';

/** A backlog in which each document goes to a new service of one new project, through `transport` if given. */
export async function runToNewServices(
  context: ScenarioContext,
  size: RunSize,
  load: { name: string; document: () => Buffer; transport?: Pick<Transport, 'prepareUpload'> },
): Promise<RunMeasurement> {
  const projectId = await newProject(context.api, load.name);
  const transport = load.transport ?? context.api;
  const uploads = Array.from({ length: size.uploads }, (_, n) =>
    transport.prepareUpload({
      projectId,
      serviceName: `service-${n + 1}`,
      document: load.document(),
    }),
  );
  const active = size.uploads * context.reference.vulnerabilities;
  return runBacklog(context, { projectId, uploads, clients: size.clients, active });
}
