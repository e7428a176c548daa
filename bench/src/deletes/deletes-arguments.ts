import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface DeletesArguments {
  /** Tracked vulnerabilities of the project that is deleted. */
  rows: number;
  /** Of each of its services, and of the service that is deleted alone. */
  vulnerabilitiesPerService: number;
  /** Seconds for which the reads are measured before each delete. */
  seconds: number;
}

const bounds = { rows: [200, 2_000_000], 'rows-per-service': [100, 10_000], seconds: [3, 600] };

export const deletesUsage = [
  'npm run bench -- deletes [arguments]',
  '',
  `  --rows N              tracked vulnerabilities of the project, ${bounds.rows.join('-')} (default 100000)`,
  `  --rows-per-service N  of each of its services, ${bounds['rows-per-service'].join('-')} (default 1000)`,
  `  --seconds N           how long reads are measured before, ${bounds.seconds.join('-')} (default 20)`,
].join('\n');

/** Reads the command line of the deletes bench. Throws a `BenchFailure` that names what is wrong with it. */
export function readDeletesArguments(args: string[]): DeletesArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  return {
    rows: wholeNumber('rows', values.rows ?? '100000'),
    vulnerabilitiesPerService: wholeNumber(
      'rows-per-service',
      values['rows-per-service'] ?? '1000',
    ),
    seconds: wholeNumber('seconds', values.seconds ?? '20'),
  };
}

function wholeNumber(name: keyof typeof bounds, text: string): number {
  const value = Number(text);
  const [least = 0, most = 0] = bounds[name];
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new BenchFailure(`--${name} ${text}: must be a whole number from ${least} to ${most}`);
}

function parse(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args,
      options: {
        ...{ rows: text, 'rows-per-service': text, seconds: text },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
