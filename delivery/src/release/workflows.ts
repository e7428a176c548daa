import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { linesOf, run } from '../tools/run';

const folder = path.join('.github', 'workflows');

/** The workflow files, relative to the repository's root. */
export function workflowFiles(): string[] {
  const inside = path.join(repositoryRoot(), folder);
  if (!existsSync(inside)) return [];
  return readdirSync(inside).map((name) => path.join(folder, name));
}

/** What actionlint says about the workflows; scripts in them are not looked at by further programs. */
export async function workflowErrors(actionlint: string): Promise<string[]> {
  const files = workflowFiles();
  if (files.length === 0) return ['there is no workflow'];
  const args = ['-no-color', '-shellcheck=', '-pyflakes=', ...files];
  const ended = await run(actionlint, args, { cwd: repositoryRoot() });
  return ended.code === 0 ? [] : linesOf(ended.stdout + ended.stderr);
}
