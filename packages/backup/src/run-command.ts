import { inspect } from 'node:util';
import { SettingsError } from '@bomtrail/service-kit';
import { OperatorError } from '@bomtrail/terminal';
import type { Terminal, WithDataFolder } from './with-database';

/**
 * Runs a command to its end, and the process with it: exit code 0, or 1 with what is wrong on standard error.
 * Errors that a person can act on are told without their trace; anything else is our mistake.
 */
export function runCommand(
  command: (terminal: Terminal, args: string[]) => Promise<void>,
  { args, withDataFolder }: { args: string[]; withDataFolder?: WithDataFolder },
): void {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  command({ env: process.env, say, withDataFolder }, args).then(
    () => process.exit(0),
    (error: unknown) => {
      const isTold = error instanceof OperatorError || error instanceof SettingsError;
      process.stderr.write(`${isTold ? error.message : inspect(error)}\n`);
      process.exit(1);
    },
  );
}
