import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { pythonEnvironment, withTemporaryFolder } from '@bomtrail/embedded';
import { repositoryRoot } from '../support/real-data';
import type { Installed } from './install-schemathesis';

/** Everything about Schemathesis that is not in the contract: packages, settings, exclusions. */
export const contractFolder = path.join(repositoryRoot, 'e2e', 'contract');

/** Several times what a run takes here; then it is ended, which is a failure. */
const longestRunMs = 15 * 60_000;

const phases = ['examples', 'coverage', 'fuzzing', 'stateful'];

export interface ContractRun {
  installed: Installed;
  baseUrl: string;
  apiKey: string;
  /** The `id` of that key, which must not be revoked on the way. */
  apiKeyId: string;
  seed: number;
  /** Further options of `schemathesis run`. */
  options: readonly string[];
}

/** Runs all checks against the served contract, with the output shown. Gives the exit code: 0 when nothing failed. */
export function runSchemathesis(run: ContractRun): Promise<number> {
  return withTemporaryFolder('contract', async (folder) => {
    const settings = ['--config-file', path.join(contractFolder, 'schemathesis.toml')];
    const what = ['--checks', 'all', '--phases', phases.join(','), '--seed', String(run.seed)];
    const args = [...settings, 'run', `${run.baseUrl}/api/openapi.json`, ...what, ...run.options];
    const child = spawn(run.installed.python, ['-m', 'schemathesis.cli', ...args], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: longestRunMs,
      env: {
        ...pythonEnvironment(run.installed.packages),
        CONTRACT_HOOKS: path.join(contractFolder, 'hooks.py'),
        CONTRACT_API_KEY: run.apiKey,
        CONTRACT_API_KEY_ID: run.apiKeyId,
      },
    });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code ?? 1;
  });
}
