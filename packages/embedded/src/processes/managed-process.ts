import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { watchOver } from './watchdog';

/** A child process that does not outlive this one. */
export interface ManagedProcess {
  readonly pid: number;
  /** Resolves when it is gone: its exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Sends a signal; does nothing when the process is gone. */
  kill(signal: NodeJS.Signals): void;
}

export interface SpawnOptions {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Output is appended here; with `onOutput` it is handed over instead; with neither it is dropped. */
  logFile?: string;
  onOutput?: (chunk: Buffer) => void;
}

/**
 * Starts a process in a group of its own (a Ctrl-C in the terminal reaches only us, so that we can stop
 * our children in order) and under a watchdog. It does not keep this process alive. Rejects when the program cannot be started.
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
    // Whoever ends it will wait for its end.
    child.ref();
    child.kill(signal);
  };
  return { pid, exited, kill };
}

/** Asks a process to end, kills it after `graceMs`, and waits until it is gone. */
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
