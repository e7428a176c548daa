import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { watchOver } from './watchdog';

/** A child process that never outlives this process. */
export interface ManagedProcess {
  readonly pid: number;
  /** Resolves to the exit code when the process has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Sends a signal; ignored if the process has ended. */
  kill(signal: NodeJS.Signals): void;
}

export interface SpawnOptions {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /**
   * File to which output is appended. With `onOutput` the output is passed on instead; with neither it is dropped.
   */
  logFile?: string;
  onOutput?: (chunk: Buffer) => void;
}

/**
 * Starts a process in its own process group, so that a Ctrl-C reaches only this process, and under a watchdog. It
 * does not keep this process alive. Rejects if the program cannot be started.
 */
export async function spawnManaged(options: SpawnOptions): Promise<ManagedProcess> {
  const child = startChild(options);
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  );
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  child.on('error', () => undefined);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${options.command} has no process id`);
  const release = watchOver(pid);
  void exited.then(release);
  child.unref();
  const kill = (signal: NodeJS.Signals): void => {
    // The caller that ends the process waits for it.
    child.ref();
    child.kill(signal);
  };
  return { pid, exited, kill };
}

/** Terminates a process, kills it after `graceMs`, and waits until it has ended. */
export async function stopProcess(child: ManagedProcess, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await child.exited;
  clearTimeout(timer);
}

function startChild(options: SpawnOptions): ChildProcess {
  const base = { env: options.env ?? process.env, cwd: options.cwd, detached: true };
  const onOutput = options.onOutput;
  if (onOutput !== undefined) {
    const child = spawn(options.command, options.args, {
      ...base,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    return child;
  }
  if (options.logFile === undefined) {
    return spawn(options.command, options.args, { ...base, stdio: 'ignore' });
  }
  mkdirSync(dirname(options.logFile), { recursive: true });
  const log = openSync(options.logFile, 'a');
  try {
    return spawn(options.command, options.args, { ...base, stdio: ['ignore', log, log] });
  } finally {
    closeSync(log);
  }
}
