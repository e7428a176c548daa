import type { ApiClient, HttpSend } from '@bomtrail/api-client';
import type { Settings } from './settings/read-settings';

/** Dependencies of a command, including all input and output. */
export interface Context {
  settings: Settings;
  api: ApiClient;
  /** For other servers; retries transient failures. */
  fetch: HttpSend;
  /** Writes a result to standard output. */
  print: (text: string) => void;
  /** Writes a progress line to standard error. */
  say: (line: string) => void;
  now: () => Date;
  /** Sets the message to print if the command is interrupted from now on. */
  setInterruptMessage: (text: string) => void;
}

/** Result of a command: a summary line and the exit code. */
export interface Outcome {
  exitCode: number;
  line: string;
}
