import { busSettings } from '../bus-settings';
import { BusUnreachable, connectWithTimeout } from '../connect-with-timeout';
import { readSettings, SettingsError } from '@bomtrail/settings';
import { createDeadLetters } from './letters';
import { deadLettersUsage, parseDeadLettersCommand, UsageError } from './parse-command';
import { exitCodes, runDeadLettersCommand } from './run-command';

/** The command `dead-letters`: lists, prints, replays or drops dead letters. Returns the exit code. */
async function main(args: string[]): Promise<number> {
  const command = parseDeadLettersCommand(args);
  const settings = readSettings(busSettings, process.env);
  const bus = await connectWithTimeout(settings, { service: 'operator', name: 'dead-letters' });
  try {
    const deps = {
      letters: createDeadLetters(bus),
      print: (text: string) => void process.stdout.write(`${text}\n`),
      complain: (text: string) => void process.stderr.write(`${text}\n`),
    };
    return await runDeadLettersCommand(deps, command);
  } finally {
    await bus.nats.close();
  }
}

/** Returns message and exit code for an error; unexpected errors keep their stack. */
function resultOf(error: unknown): { text: string; code: number } {
  if (error instanceof UsageError) {
    return { text: `${error.message}\n${deadLettersUsage}`, code: exitCodes.usage };
  }
  if (error instanceof SettingsError) {
    return { text: error.lines.join('\n'), code: exitCodes.usage };
  }
  if (error instanceof BusUnreachable) return { text: error.message, code: exitCodes.unreachable };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text, code: exitCodes.unreachable };
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    const { text, code } = resultOf(error);
    process.stderr.write(`${text}\n`);
    process.exit(code);
  },
);
