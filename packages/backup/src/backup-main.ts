import { backup } from './backup-command';
import { runCommand } from './run-command';

/** Of the image with the tools, where there is no data folder. */
runCommand(backup, { args: process.argv.slice(2) });
