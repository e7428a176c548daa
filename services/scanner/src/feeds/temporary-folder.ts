import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder of our own; the caller removes it. */
export function makeTemporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'bomtrail-feed-'));
}
