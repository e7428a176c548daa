import { parseArgs } from 'node:util';
import { OperatorError } from '@bomtrail/embedded';

export interface ChaosArguments {
  minutes: number;
  seed: number;
  /** Where the report goes beside the table; undefined: nowhere. */
  json: string | undefined;
  /** Goes through the fault points, one after the other, instead. */
  points: boolean;
  /** Takes the storage from NATS instead. */
  storage: boolean;
  help: boolean;
}

const limits = { minutes: { least: 0.2, most: 600 }, seed: { least: 0, most: 2 ** 31 - 1 } };
const defaultMinutes = 10;

export const usage = [
  'npm run chaos -- [arguments]',
  '',
  `  --minutes M   how long faults come, ${limits.minutes.least}-${limits.minutes.most} (default ${defaultMinutes})`,
  '  --seed N      the faults and the load of an earlier run again (default: drawn, and printed)',
  '  --points      crashes once at each fault point instead',
  '  --storage     takes the disk, and the storage, from NATS instead',
  '  --json FILE   the report as JSON beside the table',
].join('\n');

/** Reads the command line. @throws OperatorError that names what is wrong with it */
export function readArguments(args: string[]): ChaosArguments {
  const values = parse(args);
  const seed = numberOf('seed', values.seed);
  return {
    minutes: numberOf('minutes', values.minutes) ?? defaultMinutes,
    seed: seed === undefined ? Date.now() % 2 ** 31 : Math.floor(seed),
    json: values.json,
    points: values.points ?? false,
    storage: values.storage ?? false,
    help: values.help ?? false,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        minutes: { type: 'string' },
        seed: { type: 'string' },
        json: { type: 'string' },
        points: { type: 'boolean' },
        storage: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OperatorError(`${(error as Error).message}\n${usage}`);
  }
}

/** The number of an argument; undefined where it was not given. @throws OperatorError when it is out of bounds */
export function numberOf(name: keyof typeof limits, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const { least, most } = limits[name];
  const value = Number(text);
  if (value >= least && value <= most) return value;
  throw new OperatorError(`--${name} ${text}: must be from ${least} to ${most}`);
}
