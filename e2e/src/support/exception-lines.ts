import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * What the gateway of a stack logged as an unhandled failure of a request (docs/operations/observability.md "Error event"), one line each.
 *
 * @param dataDir the stack's data folder
 */
export function exceptionsIn(dataDir: string): string[] {
  const log = readFileSync(path.join(dataDir, 'logs', 'gateway.log'), 'utf8');
  return log.split('\n').filter((line) => line.includes('"event":"exception"'));
}
