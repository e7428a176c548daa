import { execFile } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from './real-data';

/** How a command of an operator ended: its exit code, what it printed and what it complained of. */
export interface CommandOutcome {
  code: number;
  out: string;
  stderr: string;
}

/** The commands that are programs of their own package; the others are dispatched by the embedded run. */
const ofBackup = new Set(['backup', 'restore']);

/** Runs one of the commands, e.g. `npm run reconcile -- --verify`, on a data folder, as it is after the build. */
export function runCommand(dataDir: string, args: readonly string[]): Promise<CommandOutcome> {
  const owner = ofBackup.has(args[0] ?? '') ? 'backup' : 'embedded';
  const program = path.join(repositoryRoot, 'packages', owner, 'dist', 'main.js');
  const env = { ...process.env, BOMTRAIL_DATA_DIR: dataDir, MONGODB_URI: '', NATS_URL: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env }, (error, out, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, out: out.trim(), stderr });
    });
  });
}
