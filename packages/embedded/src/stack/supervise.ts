import { stopProcess, type ManagedProcess } from '../processes/managed-process';
import { reasonOf } from '@bomtrail/terminal';
import { backOff } from './back-off';

/** A process to supervise. */
export interface Program {
  name: string;
  /** Starts the process; rejects if that fails. */
  launch: () => Promise<ManagedProcess>;
  /** Time for a clean exit when stopped. */
  graceMs: number;
  /** Exit code after which a restart does not help. */
  hopelessExitCode?: number;
}

/** A supervised program. */
export interface Supervised {
  readonly name: string;
  /** Null between a crash and the restart. */
  pid(): number | null;
  /** Resolves to the reason when the program has failed for good. */
  readonly givenUp: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Stops the program for good and waits for its end. */
  stop(): Promise<void>;
}

/** Starts a program (rejects if that fails) and restarts it with growing delays whenever it ends. */
export async function supervise(
  program: Program,
  say: (line: string) => void,
): Promise<Supervised> {
  const state: State = { running: await program.launch(), startedAt: Date.now(), stopping: false };
  const watching = watch({ program, state, say });
  return {
    name: program.name,
    pid: () => state.running?.pid ?? null,
    givenUp: watching.then((end) =>
      end === 'hopeless' ? undefined : new Promise(() => undefined),
    ),
    kill: (signal) => state.running?.kill(signal),
    stop: async () => {
      state.stopping = true;
      state.wake?.();
      if (state.running !== null) await stopProcess(state.running, program.graceMs);
      await watching;
    },
  };
}

interface State {
  running: ManagedProcess | null;
  startedAt: number;
  stopping: boolean;
  /** Ends the current delay before a restart. */
  wake?: () => void;
}

/** Runs until the program is stopped or has failed for good. */
async function watch(run: {
  program: Program;
  state: State;
  say: (line: string) => void;
}): Promise<'stopped' | 'hopeless'> {
  const { program, state, say } = run;
  let crashes = 0;
  while (state.running !== null) {
    const code = await state.running.exited;
    state.running = null;
    if (state.stopping) return 'stopped';
    if (code !== null && code === program.hopelessExitCode) return 'hopeless';
    let problem = code === null ? 'was killed' : `ended (exit code ${code})`;
    let livedMs = Date.now() - state.startedAt;
    while (state.running === null) {
      const next = backOff(crashes, livedMs);
      crashes = next.crashes;
      say(`${program.name} ${problem}; starting it again in ${next.waitMs / 1000} s.`);
      await pause(next.waitMs, state);
      if (state.stopping) return 'stopped';
      try {
        state.startedAt = Date.now();
        state.running = await program.launch();
        if (state.stopping) await stopProcess(state.running, program.graceMs);
      } catch (error) {
        problem = `could not be started (${reasonOf(error)})`;
        livedMs = 0;
      }
    }
  }
  return 'stopped';
}

function pause(waitMs: number, state: State): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMs);
    state.wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}
