import { OperatorError } from '@bomtrail/terminal';
import { backup, backupUsage } from './backup-command';
import { withDataFolder } from './data-folder';
import { restore, restoreUsage } from './restore-command';
import { runCommand } from './run-command';

/** Entry point in a checkout: `backup …` or `restore …`, also on the data folder of the embedded run. */
runCommand(
  async (terminal, [command, ...args]) => {
    if (command === 'backup') return backup(terminal, args);
    if (command === 'restore') return restore(terminal, args);
    throw new OperatorError(`${backupUsage}\n${restoreUsage}`);
  },
  { args: process.argv.slice(2), withDataFolder },
);
