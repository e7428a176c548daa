import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { linesOf, run } from '../tools/run';

/**
 * Rules that do not hold for deploy/docker/Dockerfile, with the reason.
 * DL3059 (consecutive RUN): install and build are layers of their own, so that a change of the sources
 * does not install again; they are in stages that no image keeps.
 */
const exceptions = ['DL3059'];

/** What hadolint says about the Dockerfile, notes of style included. */
export async function hadolintErrors(binary: string): Promise<string[]> {
  const file = path.join('deploy', 'docker', 'Dockerfile');
  const ignore = exceptions.flatMap((rule) => ['--ignore', rule]);
  const ended = await run(binary, ['--no-color', ...ignore, file], { cwd: repositoryRoot() });
  return linesOf(ended.stdout + ended.stderr);
}
