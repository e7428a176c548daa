import { demo } from './commands/demo';
import { start } from './commands/start';
import { OperatorError, reasonOf } from './operator-error';
import { requireNode } from './stack/preconditions';

const USAGE = 'Usage: npm start | npm run demo [-- --exit]';

function say(line: string): void {
  console.log(line);
}

async function run(command: string | undefined, flags: string[]): Promise<void> {
  requireNode();
  const unknown = flags.find((flag) => command !== 'demo' || flag !== '--exit');
  if (unknown !== undefined) throw new OperatorError(`Unknown argument ${unknown}. ${USAGE}`);
  if (command === 'start') return start(process.env, say);
  if (command === 'demo') {
    return demo({ env: process.env, exitAfter: flags.includes('--exit'), say });
  }
  throw new OperatorError(USAGE);
}

/** Errors that a person can act on are one line; anything else is our mistake and keeps its trace. */
function fail(error: unknown): never {
  if (error instanceof OperatorError) console.error(reasonOf(error));
  else console.error(error);
  process.exit(1);
}

const [command, ...flags] = process.argv.slice(2);
run(command, flags).then(() => process.exit(0), fail);
