import { stopProcess, type ManagedProcess } from '../processes/managed-process';
import { reasonOf } from '@bomtrail/terminal';
import { backOff } from './back-off';

/** A process that is to run until it is told to stop. */
export interface Program {
  name: string;
  /** Starts it; rejects when it cannot be started. */
  launch: () => Promise<ManagedProcess>;
  /** How long it may take to end by itself when it is stopped. */
  graceMs: number;
  /** An exit code by which it says that starting it again would not help. */
  hopelessExitCode?: number;
}

/** A program under supervision. */
export interface Supervised {
  readonly name: string;
  /** Null between a crash and the next start. */
  pid(): number | null;
  /** Resolves when it was given up; never while it is worth starting again. */
  readonly givenUp: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Ends it for good and waits until it is gone. */
  stop(): Promise<void>;
}

/** Starts a program (rejects when that fails), and again with a growing wait whenever it ends by itself. */
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
  /** Ends the present wait before the next start. */
  wake?: () => void;
}

/** Runs until the program is stopped or hopeless. */
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
