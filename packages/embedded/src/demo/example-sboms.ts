import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@bomtrail/terminal';

/** One example file, `<service>-<version>.cdx.json` or `.spdx.json`. */
export interface ExampleSbom {
  serviceName: string;
  version: string;
  file: string;
}

/** Parses the file name; undefined if it is not an example SBOM. */
export function exampleSbom(folder: string, fileName: string): ExampleSbom | undefined {
  const match = /^(.+)-(\d+(?:\.\d+)*)\.(?:cdx|spdx)\.json$/.exec(fileName);
  if (match?.[1] === undefined || match[2] === undefined) return undefined;
  return { serviceName: match[1], version: match[2], file: join(folder, fileName) };
}

/**
 * Groups the examples into rounds: round n has the n-th version of every service. @throws Error if no service has two
 * versions
 */
export async function exampleRounds(folder: string): Promise<ExampleSbom[][]> {
  const names = await readdir(folder).catch(() => []);
  const examples = names.flatMap((name) => exampleSbom(folder, name) ?? []);
  const rounds = roundsOf(examples);
  if (rounds.length < 2) {
    throw new OperatorError(`${folder} has no example SBOMs in two versions: restore the folder.`);
  }
  return rounds;
}

/** Groups examples by the position of their version within the service, lowest first. */
export function roundsOf(examples: readonly ExampleSbom[]): ExampleSbom[][] {
  const rounds: ExampleSbom[][] = [];
  const sorted = [...examples].sort((a, b) => byVersion(a.version, b.version));
  const seen = new Map<string, number>();
  for (const example of sorted) {
    const place = seen.get(example.serviceName) ?? 0;
    seen.set(example.serviceName, place + 1);
    (rounds[place] ??= []).push(example);
  }
  return rounds;
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}
