import { parseArgs } from 'node:util';
import { BenchFailure } from './bench-failure';

export interface BenchArguments {
  /** Names of scenarios; undefined: all. */
  scenarios: string[] | undefined;
  /** Undefined: as the scenario has it. */
  uploads: number | undefined;
  clients: number | undefined;
  runs: number;
  json: string | undefined;
  smoke: boolean;
  /** Two reports to show side by side, and nothing to run. */
  compare: [string, string] | undefined;
  help: boolean;
}

const defaultRuns = 3;
const limits = { runs: 20, uploads: 2000, clients: 256 };
const smokeSize = { uploads: 6, clients: 4, runs: 1 };

/** Reads the command line. Throws a `BenchFailure` that names what is wrong with it. */
export function readArguments(args: string[], known: readonly string[]): BenchArguments {
  const { values, positionals } = parse(args);
  const smoke = values.smoke ?? false;
  const size = (name: 'uploads' | 'clients' | 'runs'): number | undefined =>
    wholeNumber(name, values[name]) ?? (smoke ? smokeSize[name] : undefined);
  return {
    scenarios: values.scenario === undefined ? undefined : scenarioNames(values.scenario, known),
    uploads: size('uploads'),
    clients: size('clients'),
    runs: size('runs') ?? defaultRuns,
    json: values.json,
    smoke,
    compare: comparedFiles(values.compare, positionals),
    help: values.help ?? false,
  };
}

/** The help: arguments with their bounds, and the scenarios. */
export function usage(scenarios: readonly { name: string; description: string }[]): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length));
  return [
    'npm run bench -- [arguments]',
    '',
    '  --scenario a,b   only these; always in the order below',
    `  --runs N         measured runs of each after its warm-up, 1-${limits.runs} (default ${defaultRuns})`,
    `  --uploads N      uploads in a run, 1-${limits.uploads} (default: by scenario)`,
    `  --clients N      uploads at a time, 1-${limits.clients} (default: by scenario)`,
    '  --json FILE      where the report goes (default bench/results/<time>.json)',
    '  --compare A B    runs nothing: two report files side by side',
    '  --smoke          a few seconds: only whether everything works, no figures to compare',
    '',
    ...scenarios.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`),
  ].join('\n');
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        scenario: { type: 'string' },
        runs: { type: 'string' },
        uploads: { type: 'string' },
        clients: { type: 'string' },
        json: { type: 'string' },
        smoke: { type: 'boolean' },
        compare: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new BenchFailure(error instanceof Error ? error.message : String(error));
  }
}

function comparedFiles(
  first: string | undefined,
  [second, ...more]: string[],
): [string, string] | undefined {
  if (first === undefined && second === undefined) return undefined;
  if (first !== undefined && second !== undefined && more.length === 0) return [first, second];
  throw new BenchFailure(
    first === undefined ? `${second}: there is no such program` : '--compare takes two files',
  );
}

function scenarioNames(list: string, known: readonly string[]): string[] {
  const names = list.split(',').map((name) => name.trim());
  for (const name of names) {
    if (!known.includes(name)) {
      throw new BenchFailure(`--scenario ${name}: there are ${known.join(', ')}`);
    }
  }
  return names;
}

function wholeNumber(name: keyof typeof limits, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= limits[name]) return value;
  throw new BenchFailure(`--${name} ${text}: must be a whole number from 1 to ${limits[name]}`);
}
