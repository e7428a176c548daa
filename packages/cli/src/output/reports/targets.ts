import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../exit-codes';

export const FORMATS = [
  'table',
  'json',
  'sarif',
  'markdown',
  'junit',
  'gitlab',
  'cyclonedx',
  'csv',
] as const;
export type Format = (typeof FORMATS)[number];

/** An output format and its file; null: standard output. */
export interface OutputTarget {
  format: Format;
  file: string | null;
}

/**
 * Parses the values of `--output FORMAT[=FILE]`.
 *
 * @returns the targets, with a table on standard output unless another format is printed there
 * @throws CliError (usage) for an unknown format, or two formats on standard output or in one file
 */
export function readTargets(texts: readonly string[]): OutputTarget[] {
  const targets = texts.map((text): OutputTarget => {
    const at = text.indexOf('=');
    const name = at < 0 ? text : text.slice(0, at);
    const file = at < 0 ? null : text.slice(at + 1);
    const format = FORMATS.find((one) => one === name);
    if (!format || file === '') {
      throw usageError(`output: "${text}" is not one of ${FORMATS.join(', ')} or FORMAT=FILE.`);
    }
    return { format, file };
  });
  const printed = targets.filter(({ file }) => file === null);
  if (printed.length > 1) {
    throw usageError(
      'output: only one format can go to standard output. Give the others as FORMAT=FILE.',
    );
  }
  const files = targets.flatMap(({ file }) => (file === null ? [] : [path.resolve(file)]));
  const twice = files.find((file, at) => files.indexOf(file) !== at);
  if (twice !== undefined) throw usageError(`output: two reports cannot both be ${twice}.`);
  return printed.length === 1 ? targets : [{ format: 'table', file: null }, ...targets];
}

/**
 * Creates the folders of the files, so that none is missing once an upload is made, and removes what an earlier run
 * wrote to them: a CI system would publish the old report of a run without one as its result.
 *
 * @param documents paths that are read; no report replaces one
 * @throws CliError (usage) for a document, and where no file can be
 */
export function prepareFiles(
  targets: readonly OutputTarget[],
  documents: readonly string[] = [],
): void {
  const read = new Set(documents.map((name) => path.resolve(name)));
  for (const { file } of targets) {
    if (file === null) continue;
    if (read.has(path.resolve(file)))
      throw usageError(`output: ${file} is a document of this call. Give the report another name.`);
    orUsageError(() => {
      mkdirSync(path.dirname(file), { recursive: true });
      const there = lstatSync(file, { throwIfNoEntry: false });
      if (there?.isDirectory()) throw new Error(`${file} is a folder.`);
      // Another thing, such as a pipe or /dev/stderr, is written to.
      if (there?.isFile()) rmSync(file, { force: true });
    });
  }
}

function orUsageError(work: () => void): void {
  try {
    work();
  } catch (error) {
    throw usageError(`The output cannot be written: ${(error as Error).message}`);
  }
}

/** Writes a file whole or not at all. @throws CliError (usage) where it cannot be written */
export function writeWhole(file: string, text: string): void {
  const beside = `${file}.${randomUUID()}.part`;
  try {
    orUsageError(() => {
      writeFileSync(beside, text);
      renameSync(beside, file);
    });
  } finally {
    rmSync(beside, { force: true });
  }
}
