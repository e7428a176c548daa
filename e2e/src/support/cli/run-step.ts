import { spawnSync } from 'node:child_process';
import type { CliEnd } from './installed-cli';

export type ShellEnv = Record<string, string>;

/** Runs a shell step as a CI system does, in `folder`, with nothing of this process's environment but where programs are. */
export function runStep(
  folder: string,
  step: { shell: readonly [string, ...string[]]; script: string; env: ShellEnv },
): CliEnd {
  const { PATH = '', HOME = folder } = process.env;
  const [program, ...args] = step.shell;
  const { status, stdout, stderr } = spawnSync(program, [...args, step.script], {
    cwd: folder,
    env: { PATH, HOME, npm_config_offline: 'true', ...step.env },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, stderr: stderr };
}
