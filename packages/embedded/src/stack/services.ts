import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';

/** The six services, in the order of shutdown. */
export const SERVICE_NAMES = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
] as const;

/**
 * Heap limit in MiB. With much memory Node.js delays garbage collection of large documents, up to 4 GiB per process;
 * with this limit a process stays below 1 GiB.
 */
const heap = '--max-old-space-size=640';

/** How to start a service. */
export interface ServiceCommand {
  name: string;
  command: string;
  args: string[];
}

/** Returns the built services of a checkout. @throws OperatorError if one is not built */
export function builtServices(root: string): ServiceCommand[] {
  return SERVICE_NAMES.map((name) => {
    const main = join(root, 'services', name, 'dist', 'main.js');
    if (!existsSync(main))
      throw new OperatorError(`${main} is missing: run "npm run build" first.`);
    // Without source maps, as in containers: they take a quarter of the gateway's start time.
    return { name, command: process.execPath, args: [heap, main] };
  });
}
