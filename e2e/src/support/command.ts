import { execFile } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from './real-data';

/** How a command of an operator ended: its exit code, what it printed and what it complained of. */
export interface CommandOutcome {
  code: number;
  out: string;
  told: string;
}

/** Runs one of the commands, e.g. `npm run reconcile -- --verify`, on a data folder, as it is after the build. */
export function runCommand(dataDir: string, args: readonly string[]): Promise<CommandOutcome> {
  const program = path.join(repositoryRoot, 'packages', 'embedded', 'dist', 'main.js');
  const env = { ...process.env, BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, out, told) => {
      resolve({ code: error ? Number(error.code) : 0, out: out.trim(), told });
    });
  });
}
