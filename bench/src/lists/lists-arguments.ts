import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface ListsArguments {
  /** Tracked vulnerabilities of each database, ascending. */
  sizes: number[];
  samples: number;
  /** For all questions together, without the time that filling takes. */
  minutes: number;
  /** Folder in which filled databases are kept for the next time; undefined: a temporary one. */
  keep: string | undefined;
  /** File for every figure. */
  json: string | undefined;
}

const fewest = 1000;
const most = 20_000_000;
const mostSamples = 10_000;
const mostMinutes = 55;

export const listsUsage = [
  'npm run bench -- lists [arguments]',
  '',
  `  --sizes N,N    rows of each database, ${fewest}-${most} (default 10000,1000000); a million takes 2 GB`,
  '  --samples N    questions of each kind to each database (default 100)',
  `  --minutes N    for all questions together, 1-${mostMinutes} (default 20): what is asked after it has fewer samples`,
  '  --keep FOLDER  fill the databases in this folder, or take those that are there',
  '  --json FILE    write every figure to this file',
].join('\n');

/** Reads the command line of the lists bench. Throws a `BenchFailure` that names what is wrong with it. */
export function readListsArguments(args: string[]): ListsArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const sizes = (values.sizes ?? '10000,1000000').split(',');
  return {
    sizes: sizes
      .map((size) => wholeNumber('--sizes', size, { from: fewest, to: most }))
      .sort((a, b) => a - b),
    samples: wholeNumber('--samples', values.samples ?? '100', { from: 1, to: mostSamples }),
    minutes: wholeNumber('--minutes', values.minutes ?? '20', { from: 1, to: mostMinutes }),
    keep: values.keep,
    json: values.json,
  };
}

function wholeNumber(name: string, text: string, { from, to }: { from: number; to: number }) {
  const number = Number(text);
  if (!Number.isInteger(number) || number < from || number > to)
    throw new BenchFailure(`${name} ${text}: must be a whole number from ${from} to ${to}`);
  return number;
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        sizes: { type: 'string' },
        samples: { type: 'string' },
        minutes: { type: 'string' },
        keep: { type: 'string' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
