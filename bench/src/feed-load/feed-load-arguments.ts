import { parseArgs } from 'node:util';
import { BenchFailure } from '../bench-failure';

export interface FeedLoadArguments {
  /** Records of the generated feed. */
  records: number;
}

const fewest = 1000;
const most = 2_000_000;

export const feedLoadUsage = [
  'npm run bench -- feed-load [arguments]',
  '',
  `  --records N  records of the generated feed, ${fewest}-${most} (default 500000)`,
].join('\n');

/** Reads the command line of the feed bench. Throws a `BenchFailure` that names what is wrong with it. */
export function readFeedLoadArguments(args: string[]): FeedLoadArguments | 'help' {
  const values = parse(args);
  if (values.help) return 'help';
  const records = Number(values.records ?? 500_000);
  if (!Number.isInteger(records) || records < fewest || records > most) {
    throw new BenchFailure(
      `--records ${values.records}: must be a whole number from ${fewest} to ${most}`,
    );
  }
  return { records };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: { records: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}
