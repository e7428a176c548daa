import { backup } from './backup-command';
import { runCommand } from './run-command';

/** Entry point in the tools image, which has no data folder. */
runCommand(backup, { args: process.argv.slice(2) });
