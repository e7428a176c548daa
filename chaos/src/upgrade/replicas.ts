import { existsSync } from 'node:fs';
import path from 'node:path';
import { OperatorError, SERVICE_NAMES, type ServiceCommand } from '@bomtrail/embedded';

/** The order in which docs/operations/upgrade.md tells operators to replace the services: callees first. */
export const upgradeOrder = [
  'scanner',
  'ingest',
  'catalog',
  'reconciler',
  'notifier',
  'gateway',
] as const satisfies readonly (typeof SERVICE_NAMES)[number][];

/** Two processes of each service, started from bundles. */
export interface Replicas {
  services: ServiceCommand[];
  /** The next start of this process is from these bundles. */
  use(process: string, bundles: string): void;
}

/** Names of the processes of a service. */
export function replicasOf(service: string): [string, string] {
  return [service, `${service}-2`];
}

/** @param bundles folder that `npm run bundle` wrote, from which all start first */
export function createReplicas(bundles: string): Replicas {
  const used = new Map<string, string>();
  const services = SERVICE_NAMES.flatMap((service) =>
    replicasOf(service).map((name) => ({
      name,
      command: process.execPath,
      // Read at each start.
      get args() {
        return [path.join(used.get(name) ?? bundles, service, 'main.js')];
      },
    })),
  );
  return { services, use: (name, from) => void used.set(name, from) };
}

/** @throws OperatorError if it has not all services and the commands */
export function requireBundles(folder: string): string {
  const missing = [...SERVICE_NAMES, 'tools'].filter(
    (image) => !existsSync(path.join(folder, image)),
  );
  if (missing.length > 0)
    throw new OperatorError(
      `${folder} has no bundle of ${missing.join(', ')}: run "npm run bundle" in a checkout of that release, and name its folder dist/images.`,
    );
  return path.resolve(folder);
}
