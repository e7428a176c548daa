import type { Context, Outcome } from '../context';
import type { Flags } from '../settings/read-settings';

/** Environment of the commands. */
export interface ProgramDeps {
  version: string;
  folder: string;
  input: AsyncIterable<Uint8Array>;
  context: (flags: Flags) => Context;
  ended: (outcome: Outcome) => void;
}
