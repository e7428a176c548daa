import { restore } from './restore-command';
import { runCommand } from './run-command';

/** Entry point in the tools image, which has no data folder. */
runCommand(restore, { args: process.argv.slice(2) });
