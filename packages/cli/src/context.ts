import type { ApiClient } from '@bomtrail/api-client';
import type { Settings } from './settings/read-settings';

/** What a command works with; the only way of it to the outside. */
export interface Context {
  settings: Settings;
  api: ApiClient;
  /** A part of what was asked for, to standard output. */
  print: (text: string) => void;
  /** A line for who watches, to standard error. */
  say: (line: string) => void;
  /** Notes what an interruption from now on has to tell of what was done so far. */
  setInterruptMessage: (text: string) => void;
}

/** How a command ended: one line that says what is known, and the exit code that goes with it. */
export interface Outcome {
  exitCode: number;
  line: string;
}
