import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as Tinyglobby from 'tinyglobby';
import { usageError } from '../exit-codes';

const maxDocuments = 1_000;

/**
 * The documents that arguments name: files, patterns such as `out/**\/*.cdx.json`, or `-`. A file whose name looks like
 * a pattern is that file. Patterns find neither hidden folders nor `node_modules`.
 *
 * @param folder base folder of patterns
 * @returns each once, in the order of the arguments, those of a pattern sorted
 * @throws CliError (usage) for a pattern without a match, or more than 1,000 documents
 */
export async function findDocuments(names: readonly string[], folder: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) {
    const isPattern = /[*?{[]/.test(name) && !existsSync(path.resolve(folder, name));
    for (const file of isPattern ? await matching(name, folder) : [name]) found.add(file);
  }
  if (found.size > maxDocuments)
    throw usageError(`${found.size} documents are more than ${maxDocuments}. Split the call.`);
  return [...found];
}

async function matching(pattern: string, folder: string): Promise<string[]> {
  // Loaded on demand: most calls name files.
  // oxlint-disable-next-line typescript/no-require-imports
  const { glob } = require('tinyglobby') as typeof Tinyglobby;
  const files = await glob(pattern.split(path.sep).join('/'), {
    cwd: folder,
    ignore: ['**/node_modules/**'],
    expandDirectories: false,
    followSymbolicLinks: false,
  });
  if (files.length === 0)
    throw usageError(`No file matches "${pattern}". Patterns start at ${folder}.`);
  return files.sort();
}
