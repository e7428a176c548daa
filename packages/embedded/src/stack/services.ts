import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';

/** The six services; the gateway first, because it is the first to stop. */
export const SERVICE_NAMES = [
  'gateway',
  'ingest',
  'catalog',
  'scanner',
  'reconciler',
  'notifier',
] as const;

/**
 * MiB of objects. On a machine with much memory Node.js would let several large documents' garbage lie,
 * up to 4 GiB a process; with this bound a process stays below 1 GiB.
 */
const heap = '--max-old-space-size=640';

/** How one service is started. */
export interface ServiceCommand {
  name: string;
  command: string;
  args: string[];
}

/** The built services of a checkout; throws when one has not been built. */
export function builtServices(root: string): ServiceCommand[] {
  return SERVICE_NAMES.map((name) => {
    const main = join(root, 'services', name, 'dist', 'main.js');
    if (!existsSync(main))
      throw new OperatorError(`${main} is missing: run "npm run build" first.`);
    // Without source maps, as in containers: reading them takes a quarter of the gateway's start.
    return { name, command: process.execPath, args: [heap, main] };
  });
}
