import { inspect } from 'node:util';
import { OperatorError } from '@bomtrail/embedded';
import { SettingsError } from '@bomtrail/service-kit';
import { backup, backupUsage } from './backup-command';
import { restore, restoreUsage } from './restore-command';

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main([command, ...args]: string[]): Promise<void> {
  const terminal = { env: process.env, say };
  if (command === 'backup') return backup(terminal, args);
  if (command === 'restore') return restore(terminal, args);
  throw new OperatorError(`${backupUsage}\n${restoreUsage}`);
}

/** Errors that a person can act on are told without their trace; anything else is our mistake. */
main(process.argv.slice(2)).then(
  () => process.exit(0),
  (error: unknown) => {
    const isTold = error instanceof OperatorError || error instanceof SettingsError;
    process.stderr.write(`${isTold ? error.message : inspect(error)}\n`);
    process.exit(1);
  },
);
