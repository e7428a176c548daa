import { OperatorError } from '@bomtrail/terminal';
import { endWith } from './end-with';
import { requireNode } from './stack/preconditions';

const USAGE =
  'Usage: npm start | npm run dev [-- <service> --inspect] | npm run demo [-- --exit] | npm run keys -- create|list|revoke | npm run reconcile -- --verify | npm run dead-letters -- list|show|replay|drop';

function say(line: string): void {
  console.log(line);
}

/**
 * Runs the command; returns the exit code. Each is loaded when it is asked for: those beside a running stack need none
 * of what starts one.
 */
async function run(command: string | undefined, flags: string[]): Promise<number> {
  requireNode();
  if (command === 'keys') return (await import('./commands/keys.js')).keys(process.env, flags);
  const beside = { env: process.env, complain: (line: string) => console.error(line) };
  if (command === 'dev') {
    await (await import('./commands/dev.js')).dev(process.env, flags, say);
    return 0;
  }
  if (command === 'reconcile')
    return (await import('./commands/reconcile.js')).reconcile(beside, flags);
  if (command === 'dead-letters')
    return (await import('./commands/dead-letters.js')).deadLetters(beside, flags);
  const unknown = flags.find((flag) => command !== 'demo' || flag !== '--exit');
  if (unknown !== undefined) throw new OperatorError(`Unknown argument ${unknown}. ${USAGE}`);
  if (command === 'start') await (await import('./commands/start.js')).start(process.env, say);
  else if (command === 'demo') {
    const { demo } = await import('./commands/demo.js');
    await demo({ env: process.env, exitAfter: flags.includes('--exit'), say });
  } else throw new OperatorError(USAGE);
  return 0;
}

const [command, ...flags] = process.argv.slice(2);
endWith(run(command, flags));
