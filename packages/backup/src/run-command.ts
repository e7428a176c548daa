import { inspect } from 'node:util';
import { refusedUser } from '@bomtrail/mongo';
import { SettingsError } from '@bomtrail/settings';
import { OperatorError } from '@bomtrail/terminal';
import type { Terminal, WithDataFolder } from './with-database';

/**
 * Runs a command and exits with 0, or with 1 and the error on standard error. What an operator can mend is printed as
 * one line, other errors with their stack.
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
      const text = isTold ? error.message : (refusedUser(error) ?? inspect(error));
      process.stderr.write(`${text}\n`);
      process.exit(1);
    },
  );
}
