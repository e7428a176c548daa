import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { chartFile, copies } from './files';

/** Copies alert rules and dashboard into the chart. */
export function generate(): void {
  for (const { source, copy } of copies)
    copyFileSync(path.join(repositoryRoot(), source), chartFile(copy));
}
