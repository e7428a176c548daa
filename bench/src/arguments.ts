import { InvalidArgumentError, Option } from 'commander';
import { BenchFailure } from './bench-failure';
import { listOf, numberOption, readOptions } from './read-options';

export interface BenchArguments {
  /** Names of scenarios; undefined: all. */
  scenario?: string[];
  /** Undefined: as the scenario has it. */
  uploads?: number;
  clients?: number;
  runs: number;
  json?: string;
  smoke: boolean;
  /** Two reports to compare; nothing is run. */
  compare?: string[];
}

const defaultRuns = 3;
const smokeSize = { uploads: 6, clients: 4, runs: 1 };

/** Reads the command line. Throws a `BenchFailure` that names what is wrong with it, or `HelpShown`. */
export function readArguments(
  args: readonly string[],
  scenarios: readonly { name: string; description: string }[],
): BenchArguments {
  const [first] = args;
  if (first?.startsWith('-') === false)
    throw new BenchFailure(`${first}: there is no such program`);
  const names = scenarios.map(({ name }) => name);
  const scenario = (name: string): string => {
    if (names.includes(name)) return name;
    throw new InvalidArgumentError(`there are ${names.join(', ')}`);
  };
  const options = [
    new Option('--scenario <a,b>', 'only these, always in the order below').argParser(
      listOf(scenario),
    ),
    numberOption('--runs <n>', `measured runs of each after its warm-up; ${defaultRuns}`, [1, 20]),
    numberOption('--uploads <n>', 'uploads in a run; by scenario', [1, 2000]),
    numberOption('--clients <n>', 'concurrent uploads; by scenario', [1, 256]),
    new Option('--json <file>', 'the report; bench/results/<time>.json'),
    new Option('--compare <files...>', 'two report files side by side; nothing is run'),
    new Option('--smoke', 'a few seconds: only checks that everything works').default(false),
  ];
  const width = Math.max(...names.map(({ length }) => length));
  const list = scenarios.map(({ name, description }) => `  ${name.padEnd(width)}  ${description}`);
  const after = `\n${list.join('\n')}`;
  const given = readOptions<Partial<BenchArguments> & { smoke: boolean }>({ options, after }, args);
  if (given.compare !== undefined && given.compare.length !== 2)
    throw new BenchFailure('--compare takes two files');
  return { runs: defaultRuns, ...(given.smoke ? smokeSize : {}), ...given };
}
