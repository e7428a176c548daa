import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Programs that run in the background until they are stopped. */
export interface ProgramGroup {
  /** Starts a program; its output goes to `<name>.log`. */
  start(
    name: string,
    program: string,
    options: { args: readonly string[]; env?: NodeJS.ProcessEnv },
  ): void;
  /**
   * Waits until `check` returns no error.
   *
   * @throws Error with the last error and the ends of all logs if that takes too long or a program has ended; all are
   *   stopped then
   */
  untilReady(
    check: () => Promise<string | null>,
    options: { what: string; withinMs: number },
  ): Promise<void>;
  /** Stops all, the last one first: by SIGTERM, and after ten seconds by SIGKILL. */
  stop(): Promise<void>;
}

const graceMs = 10_000;
const pollMs = 250;
const longestLog = 2_000;

/** @param folder for logs */
export function createProgramGroup(folder: string): ProgramGroup {
  const children: ChildProcess[] = [];
  const logs: string[] = [];

  async function stop(): Promise<void> {
    for (const child of children.toReversed()) await end(child);
  }

  return {
    start(name, program, { args, env = process.env }) {
      const file = path.join(folder, `${name}.log`);
      const log = openSync(file, 'a');
      children.push(spawn(program, args, { env, stdio: ['ignore', log, log] }));
      closeSync(log);
      logs.push(file);
    },
    async untilReady(check, { what, withinMs }) {
      for (const deadline = Date.now() + withinMs; ; await delay(pollMs)) {
        const error = await check().catch((thrown: Error) => thrown.message);
        if (error === null) return;
        if (Date.now() < deadline && children.every(isRunning)) continue;
        await stop();
        const said = logs.map((file) => readFileSync(file, 'utf8').trim().slice(-longestLog));
        throw new Error([`${what}: ${error}`, ...said].join('\n'));
      }
    },
    stop,
  };
}

/** Returns why an address does not answer with a 2xx; null: it does. */
export function responseError(url: string): Promise<string | null> {
  return fetch(url).then(
    ({ ok, status }) => (ok ? null : `${url} responds with ${status}`),
    (error: Error) => `${url}: ${error.message}`,
  );
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(kill);
}
