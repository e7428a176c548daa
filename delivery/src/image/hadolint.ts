import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { linesOf, run } from '../tools/run';

/**
 * Disabled rules for deploy/docker/Dockerfile. DL3059 (consecutive RUN): install and build are separate layers, so
 * that a source change does not reinstall; they are in intermediate stages.
 */
const exceptions = ['DL3059'];

/** Runs hadolint on the Dockerfile, including style rules; returns its findings. */
export async function hadolintErrors(binary: string): Promise<string[]> {
  const file = path.join('deploy', 'docker', 'Dockerfile');
  const ignore = exceptions.flatMap((rule) => ['--ignore', rule]);
  const ended = await run(binary, ['--no-color', ...ignore, file], { cwd: repositoryRoot() });
  return linesOf(ended.stdout + ended.stderr);
}
