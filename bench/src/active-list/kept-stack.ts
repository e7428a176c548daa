import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BenchFailure } from '../bench-failure';
import type { BenchDeps } from '../run-bench';
import { fillStack } from './fill-stack';

/**
 * The data folder of a stack with tracked vulnerabilities: filled now, or kept from a run before.
 *
 * @param size `rows`: in all states; 85 % are open
 */
export async function keptStack(
  folder: string,
  { rows, rowsPerService }: { rows: number; rowsPerService: number },
  { signal, say }: BenchDeps,
): Promise<string> {
  const dataDir = join(folder, 'data');
  const marker = join(folder, 'filled.json');
  const size = JSON.stringify({ rows, rowsPerService });
  if (existsSync(marker)) {
    if (readFileSync(marker, 'utf8') === size) return dataDir;
    throw new BenchFailure(`${folder} was filled with another number of rows: use another folder`);
  }
  say(`storing ${rows} vulnerabilities`);
  const place = { dataDir, natsDir: join(folder, 'nats') };
  await fillStack(place, { rows, rowsPerService }, { signal, say });
  writeFileSync(marker, size);
  return dataDir;
}
