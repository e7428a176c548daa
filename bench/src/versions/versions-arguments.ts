import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface VersionsArguments {
  /** Versions of the long service before the measurement. */
  versions: number;
  /** Uploads that are measured for each service and kind. */
  uploads: number;
  /** Folder in which the services are kept for the next time; undefined: a temporary one. */
  keep: string | undefined;
}

const bounds = { versions: [20, 100_000], uploads: [5, 1000] } as const;

export const versionsUsage = [
  'npm run bench -- versions [arguments]',
  '',
  `  --versions N   versions of the long service, ${bounds.versions.join('-')} (default 10000)`,
  `  --uploads N    measured uploads of each kind to each service, ${bounds.uploads.join('-')} (default 100)`,
  '  --keep FOLDER  make the services in this folder, or take those that are there',
].join('\n');

/** Reads the command line of the versions bench. Throws a `BenchFailure` that names what is wrong with it. */
export function readVersionsArguments(args: string[]): VersionsArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  return {
    versions: wholeNumber('versions', values.versions ?? '10000'),
    uploads: wholeNumber('uploads', values.uploads ?? '100'),
    keep: values.keep,
  };
}

function wholeNumber(name: keyof typeof bounds, text: string): number {
  const value = Number(text);
  const [least, most] = bounds[name];
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new BenchFailure(`--${name} ${text}: must be a whole number from ${least} to ${most}`);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        versions: { type: 'string' },
        uploads: { type: 'string' },
        keep: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
