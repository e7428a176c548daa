import { writeFileSync } from 'node:fs';
import { endWith, OperatorError } from '@bomtrail/embedded';
import { Command, InvalidArgumentError, Option } from 'commander';
import type { Harness } from './harness';
import type { Difference } from './witness';

export type Say = (line: string) => void;

/** Arguments of every command. */
export interface CommonOptions {
  seed: number;
  /** Where the report goes beside the table; undefined: nowhere. */
  json?: string;
}

/** Content to which nothing refers goes after this long: no upload lasts longer, pauses included. */
export const garbageGrace = { BOMTRAIL_GARBAGE_GRACE_SECONDS: '120' };

const mostSeed = 2 ** 31 - 1;

const commonOptions = [
  numberOption('--seed <n>', 'the faults and the load of an earlier run again', [
    0,
    mostSeed,
  ]).default(Date.now() % mostSeed, 'drawn, and printed'),
  new Option('--json <file>', 'the report as JSON beside the table'),
];

/** An option with a number within bounds. */
export function numberOption(
  flags: string,
  description: string,
  [least, most]: readonly [least: number, most: number],
): Option {
  return new Option(flags, `${description}, ${least}-${most}`).argParser((text) => {
    const value = Number(text);
    if (value >= least && value <= most) return value;
    throw new InvalidArgumentError(`must be from ${least} to ${most}`);
  });
}

/**
 * Reads the command line of `npm run <name>`, runs it and ends this process with the exit code that it
 * returns. Prints an error and exits with 1 when it fails.
 */
export function runCommand<Options extends CommonOptions>(
  name: string,
  options: readonly Option[],
  run: (options: Options, say: Say) => Promise<number>,
): void {
  const command = new Command(`npm run ${name} --`).allowExcessArguments(false);
  for (const option of [...options, ...commonOptions]) command.addOption(option);
  const say: Say = (line) =>
    console.error(`${name}: ${new Date().toISOString().slice(11, 23)} ${line}`);
  endWith(run(command.parse().opts<Options>(), say));
}

/** Runs on a harness and prints the report. Returns 1 if there are differences; data and logs are then kept. */
export async function runOn<
  Opened extends Pick<Harness, 'dataDir'> & { close(keep: boolean): Promise<void> },
  Report extends { differences: readonly Difference[] },
>(
  { seed, json }: CommonOptions,
  run: {
    open(): Promise<Opened>;
    run(harness: Opened, signal: AbortSignal): Promise<Report>;
    render(report: Report): string;
    say: Say;
  },
): Promise<number> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.on(name, () => stopping.abort(new OperatorError('interrupted')));
  run.say(`seed ${seed}`);
  const harness = await run.open();
  let keep = true;
  try {
    const report = await run.run(harness, stopping.signal);
    for (const { kind, what } of report.differences) console.log(`${kind}: ${what}`);
    console.log(run.render(report));
    if (json !== undefined) writeJson(report, json);
    keep = report.differences.length > 0;
  } finally {
    await harness.close(keep);
    if (keep) console.log(`Data and logs are kept in ${harness.dataDir}`);
  }
  return keep ? 1 : 0;
}

export function writeJson(report: unknown, file: string): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
}
