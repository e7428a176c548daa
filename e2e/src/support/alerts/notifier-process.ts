import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { eventually, serviceSettings, type TestServers } from '@bomtrail/testkit';
import { repositoryRoot } from '../real-data';

const program = path.join(
  repositoryRoot,
  ...['e2e', 'dist', 'support', 'alerts', 'faulty-notifier.js'],
);

/** Where a process strikes itself. */
export interface Fault {
  /** The moment, by name; null: any. */
  at: string | null;
  /** How many of these it lets pass before. */
  after: number;
  signal: 'SIGKILL' | 'SIGSTOP';
}

/** A process of the notifier whose work a test sees, moment by moment. */
export interface NotifierProcess {
  /** All moments so far, oldest first. */
  readonly moments: readonly string[];
  /** Null while it runs. */
  endedBy(): string | number | null;
  /** Sets or takes back what it does to itself; resolves when it knows. */
  arm(fault: Fault | null): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it, however it stands, and waits for that. */
  end(): Promise<void>;
}

/** @param fault from its start */
export function startNotifierProcess(
  servers: Pick<TestServers, 'mongoUri' | 'natsUrl' | 'prefix'>,
  { env, fault }: { env: Record<string, string>; fault?: Fault },
): NotifierProcess {
  const own = serviceSettings(servers);
  const mongoUri = `${own.MONGODB_URI}${own.MONGODB_URI.includes('?') ? '&' : '/?'}monitorCommands=true`;
  const child: ChildProcess = spawn(process.execPath, ['--enable-source-maps', program], {
    env: {
      ...process.env,
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)])),
      ...env,
      MONGODB_URI: mongoUri,
      ...(fault ? { BOMTRAIL_TEST_FAULT: JSON.stringify(fault) } : {}),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'pipe', 'ipc'],
  });
  const moments: string[] = [];
  const lines = createInterface({ input: child.stdio[3] as Readable });
  lines.on('line', (moment) => moments.push(moment));
  const ended = once(child, 'close');
  const endedBy = (): string | number | null => child.signalCode ?? child.exitCode;
  return {
    moments,
    endedBy,
    async arm(fault) {
      const from = moments.length;
      child.send({ fault });
      await eventually(() => moments.includes('armed', from), {
        what: 'the notifier knows where it fails',
      });
    },
    kill: (signal) => void child.kill(signal),
    async end() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** Waits until a process has passed a moment of this name, and gives its place among the moments. */
export function passed(
  one: NotifierProcess,
  moment: string,
  { from = 0, within }: { from?: number; within: number },
): Promise<number> {
  return eventually(
    () => {
      const at = one.moments.indexOf(moment, from);
      if (at < 0) throw new Error(`last: ${one.moments.slice(-5).join(', ')}`);
      return at + 1;
    },
    { within, what: `the notifier comes to "${moment}"` },
  );
}
