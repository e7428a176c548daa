import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as Yaml from 'yaml';
import { usageError } from '../exit-codes';
import type { Ignore } from '../ignores/ignore';
import { readIgnores } from './read-ignores';

export const PROJECT_FILE = '.bomtrail.yaml';

/** Allowed entries of the project file. */
export const PROJECT_FILE_KEYS = [
  'url',
  'grpc_url',
  'transport',
  'project',
  'service',
  'fail_on',
  'only_new',
  'fail_on_kev',
  'max_epss',
  'only_fixable',
  'fail_on_license',
  'min_quality',
  'baseline',
  'wait',
] as const;

export type ProjectFileKey = (typeof PROJECT_FILE_KEYS)[number];

export interface ProjectFile {
  /** null: no project file. */
  path: string | null;
  values: Partial<Record<ProjectFileKey, string>>;
  /** Findings that do not count, expired entries included. */
  ignores: readonly Ignore[];
}

const noValues = { values: {}, ignores: [] };

/** An API key in a text. */
export const keyShape = /bt_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{20,}/;

/**
 * Reads the project file: the named one, else the first `.bomtrail.yaml` from a folder upwards to the root of its git
 * repository. A file with an API key is rejected, as everyone with access to the repository can read it.
 *
 * @throws CliError (usage) if it cannot be read, has an unknown entry or contains a key
 */
export function readProjectFile(folder: string, named?: string): ProjectFile {
  const file = named ?? findUpwards(folder);
  if (file === null) return { path: null, ...noValues };
  if (!existsSync(file)) throw usageError(`The project file ${file} does not exist.`);
  return { path: file, ...parse(file, textOf(file)) };
}

function findUpwards(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, PROJECT_FILE);
    if (existsSync(file)) return file;
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return null;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`The project file ${file} cannot be read: ${(error as Error).message}`);
  }
}

function parse(file: string, text: string): Omit<ProjectFile, 'path'> {
  if (keyShape.test(text)) {
    throw usageError(
      `${file} contains an API key. Revoke that key, remove it from the file and its history, and set a new one in BOMTRAIL_API_KEY.`,
    );
  }
  // Loaded on demand: it takes a tenth of the start time.
  // oxlint-disable-next-line typescript/no-require-imports
  const yaml = require('yaml') as typeof Yaml;
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { lineCounter: lines });
  const lineOf = (node: unknown): number => {
    const at = yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
    return lines.linePos(at).line;
  };
  const [problem] = document.errors;
  if (problem) {
    const line = lines.linePos(problem.pos[0]).line;
    throw usageError(
      `${file}:${line} is not valid YAML: ${problem.message.split('\n')[0]} Correct that line.`,
    );
  }
  const { contents } = document;
  if (contents === null || (yaml.isScalar(contents) && contents.value === null)) return noValues;
  if (!yaml.isMap(contents)) throw usageError(`${file} must contain names and values.`);
  const values: ProjectFile['values'] = {};
  let ignores: Ignore[] = [];
  for (const { key, value } of contents.items) {
    const name = String(yaml.isScalar(key) ? key.value : key);
    if (name === 'ignore') ignores = readIgnores(yaml, value, { file, lineOf });
    else
      values[settingName(file, lineOf(key), name)] = single(
        yaml,
        value,
        `${file}:${lineOf(key)}: "${name}"`,
      );
  }
  return { values, ignores };
}

function settingName(file: string, line: number, name: string): ProjectFileKey {
  if (/key|token|secret/i.test(name)) {
    throw usageError(`${file}:${line}: "${name}" is not allowed. Set the key in BOMTRAIL_API_KEY.`);
  }
  const found = PROJECT_FILE_KEYS.find((one) => one === name);
  if (found) return found;
  throw usageError(
    `${file}:${line}: unknown entry "${name}". Known: ${PROJECT_FILE_KEYS.join(', ')}, ignore.`,
  );
}

function single(yaml: typeof Yaml, node: unknown, what: string): string {
  const value: unknown = yaml.isScalar(node) ? node.value : undefined;
  if (!['string', 'number', 'boolean'].includes(typeof value))
    throw usageError(`${what} must be a single value.`);
  return String(value);
}
