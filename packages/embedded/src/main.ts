import { deadLetters } from './commands/dead-letters';
import { demo } from './commands/demo';
import { dev } from './commands/dev';
import { keys } from './commands/keys';
import { reconcile } from './commands/reconcile';
import { start } from './commands/start';
import { OperatorError } from '@bomtrail/terminal';
import { endWith } from './end-with';
import { requireNode } from './stack/preconditions';

const USAGE =
  'Usage: npm start | npm run dev [-- <service> --inspect] | npm run demo [-- --exit] | npm run keys -- create|list|revoke | npm run reconcile -- --verify | npm run dead-letters -- list|show|replay|drop';

function say(line: string): void {
  console.log(line);
}

/** Runs the command; returns the exit code. */
async function run(command: string | undefined, flags: string[]): Promise<number> {
  requireNode();
  if (command === 'keys') return keys(process.env, flags);
  const beside = { env: process.env, complain: (line: string) => console.error(line) };
  if (command === 'dev') {
    await dev(process.env, flags, say);
    return 0;
  }
  if (command === 'reconcile') return reconcile(beside, flags);
  if (command === 'dead-letters') return deadLetters(beside, flags);
  const unknown = flags.find((flag) => command !== 'demo' || flag !== '--exit');
  if (unknown !== undefined) throw new OperatorError(`Unknown argument ${unknown}. ${USAGE}`);
  if (command === 'start') await start(process.env, say);
  else if (command === 'demo') {
    await demo({ env: process.env, exitAfter: flags.includes('--exit'), say });
  } else throw new OperatorError(USAGE);
  return 0;
}

const [command, ...flags] = process.argv.slice(2);
endWith(run(command, flags));
