import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { linesOf, run } from '../tools/run';

/** Errors of syntax and form of docker-bake.hcl. Which targets it has is checked with `npm test`. */
export async function bakeErrors(hclfmt: string): Promise<string[]> {
  const file = path.join(repositoryRoot(), 'docker-bake.hcl');
  const ended = await run(hclfmt, [file]);
  if (ended.code !== 0) return linesOf(ended.stderr);
  const isFormatted = ended.stdout === (await readFile(file, 'utf8'));
  return isFormatted ? [] : ['it is formatted otherwise by hclfmt -w'];
}
