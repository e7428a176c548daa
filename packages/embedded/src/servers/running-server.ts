import { stopProcess, type ManagedProcess } from '../processes/managed-process';

/** How long a server may take to end by itself before it is killed. */
const STOP_GRACE_MS = 10_000;

/** A mongod or nats-server on 127.0.0.1 that this process started. */
export interface RunningServer {
  /** What a client connects to. */
  readonly url: string;
  readonly port: number;
  /** Of the present process; another one after `restart`. */
  readonly pid: number;
  /** Resolves when the present process is gone: its exit code, or null when a signal ended it. */
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it in order (SIGTERM, after 10 s SIGKILL). */
  stop(): Promise<void>;
  /** Kills it (SIGKILL, like a crash) and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** Makes a `RunningServer` out of a function that starts the process and waits until it is ready. */
export async function runServer(options: {
  url: string;
  port: number;
  launch: () => Promise<ManagedProcess>;
}): Promise<RunningServer> {
  let current = await options.launch();
  return {
    url: options.url,
    port: options.port,
    get pid() {
      return current.pid;
    },
    get exited() {
      return current.exited;
    },
    kill: (signal) => current.kill(signal),
    stop: () => stopProcess(current, STOP_GRACE_MS),
    restart: async () => {
      current.kill('SIGKILL');
      await current.exited;
      current = await options.launch();
    },
  };
}
