import { restore } from './restore-command';
import { runCommand } from './run-command';

/** Of the image with the tools, where there is no data folder. */
runCommand(restore, { args: process.argv.slice(2) });
