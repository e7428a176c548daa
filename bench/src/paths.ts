import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Root of the checkout, the same from the sources and from the build. */
export function repositoryRoot(): string {
  return join(__dirname, '..', '..');
}

/** Folder of the results, not under version control. */
export function resultsFolder(): string {
  return join(repositoryRoot(), 'bench', 'results');
}

/** A path below the optional data folder beside the checkout, or undefined where it does not exist. */
export function sharedData(...parts: string[]): string | undefined {
  const path = join(repositoryRoot(), '..', 'shared', 'data', ...parts);
  return existsSync(path) ? path : undefined;
}
