import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { BenchFailure } from './bench-failure';

/** Parses a whole number within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be a whole number from ${least} to ${most}`);
  };
}

/** Parses a list of comma-separated values. */
export function listOf<Value>(parse: (text: string) => Value): (text: string) => Value[] {
  return (text) => text.split(',').map((one) => parse(one.trim()));
}

/** An option with a whole number within bounds, and its default if there is one. */
export function numberOption(
  flags: string,
  description: string,
  [least, most, usual]: readonly [least: number, most: number, usual?: number],
): Option {
  const option = new Option(flags, `${description}, ${least}-${most}`);
  option.argParser(wholeNumber(least, most));
  return usual === undefined ? option : option.default(usual);
}

/** The request for the help: its text was printed. */
export class HelpShown extends Error {}

/** Reads a command line. Throws a `BenchFailure` that names what is wrong with it, or `HelpShown`. */
export function readOptions<Options extends object>(
  command: { options: readonly Option[]; after?: string },
  args: readonly string[],
): Options {
  const parser = new Command('npm run bench --').exitOverride().allowExcessArguments(false);
  parser.configureOutput({ outputError: () => undefined });
  parser.addHelpText('after', command.after ?? '');
  for (const option of command.options) parser.addOption(option);
  try {
    return parser.parse(args, { from: 'user' }).opts<Options>();
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) throw new HelpShown();
    throw new BenchFailure(error.message.replace(/^error: /, ''));
  }
}
