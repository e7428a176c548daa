import { stopProcess, type ManagedProcess } from '../processes/managed-process';

/** Time for a clean exit before SIGKILL. */
const STOP_GRACE_MS = 10_000;

/** A mongod or nats-server on 127.0.0.1, started by this process. */
export interface RunningServer {
  /** URL for clients. */
  readonly url: string;
  readonly port: number;
  /** Process id; changes with `restart`. */
  readonly pid: number;
  /** Resolves to the exit code when the current process has ended; null if a signal ended it. */
  readonly exited: Promise<number | null>;
  kill(signal: NodeJS.Signals): void;
  /** Stops the server: SIGTERM, after 10 s SIGKILL. */
  stop(): Promise<void>;
  /** Kills the server (SIGKILL) and starts it again on the same data and port. */
  restart(): Promise<void>;
}

/** Creates a `RunningServer` from a function that starts the process and waits until it is ready. */
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
