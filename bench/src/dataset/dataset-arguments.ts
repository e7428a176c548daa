import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface DatasetArguments {
  sboms: number;
  /** Folder in which a built dataset is stored for reuse; undefined: a temporary one. */
  keep: string | undefined;
}

const fewest = 400;
const most = 100_000;

export const datasetUsage = [
  'npm run bench -- dataset [arguments]',
  '',
  `  --sboms N      SBOMs of the dataset, ${fewest}-${most} (default 20000), over 200 component sets`,
  '  --keep FOLDER  build the dataset in this folder, or take the one that is there',
].join('\n');

/** Reads the command line of the dataset bench. Throws a `BenchFailure` that names what is wrong with it. */
export function readDatasetArguments(args: string[]): DatasetArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const sboms = Number(values.sboms ?? 20_000);
  if (!Number.isInteger(sboms) || sboms < fewest || sboms > most) {
    throw new BenchFailure(
      `--sboms ${values.sboms}: must be a whole number from ${fewest} to ${most}`,
    );
  }
  return { sboms, keep: values.keep };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        sboms: { type: 'string' },
        keep: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
