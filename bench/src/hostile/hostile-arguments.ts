import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface HostileArguments {
  seed: number;
  /** Mutants that are sent. */
  documents: number;
  /** Names of inputs, `fuzz` among them; undefined: all. */
  only: string[] | undefined;
  json: string | undefined;
  /** A blocked event loop fails the command, too. */
  strict: boolean;
}

const maxSeed = 2 ** 32 - 1;
const maxDocuments = 100_000;

export const hostileUsage = [
  'npm run hostile -- [arguments]',
  '',
  '  --seed N       of the mutants (default: by chance; it is printed)',
  `  --documents N  mutants of real documents, 0-${maxDocuments} (default 1000)`,
  '  --only a,b     only these inputs; `fuzz` are the mutants, `fuzz-N` is one of them',
  '  --json FILE    the rows as JSON, too',
  '  --strict       fails also when the event loop of the gateway was blocked',
].join('\n');

/** Reads the command line. Throws a `BenchFailure` that names what is wrong with it. */
export function readHostileArguments(args: string[]): HostileArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const byChance = String(Math.floor(Math.random() * maxSeed));
  return {
    seed: wholeNumber('seed', values.seed ?? byChance, maxSeed),
    documents: wholeNumber('documents', values.documents ?? '1000', maxDocuments),
    only: values.only?.split(','),
    json: values.json,
    strict: values.strict ?? false,
  };
}

function wholeNumber(name: string, text: string, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new BenchFailure(`--${name} ${text}: must be a whole number from 0 to ${most}`);
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    const options = { seed: text, documents: text, only: text, json: text };
    const help = { type: 'boolean', short: 'h' } as const;
    const strict = { type: 'boolean' } as const;
    return parseArgs({ args, options: { ...options, strict, help } }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
