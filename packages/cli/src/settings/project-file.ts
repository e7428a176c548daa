import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type * as Yaml from 'yaml';
import { usageError } from '../exit-codes';

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
  'baseline',
  'wait',
] as const;

export type ProjectFileKey = (typeof PROJECT_FILE_KEYS)[number];

export interface ProjectFile {
  /** null: no project file. */
  path: string | null;
  values: Partial<Record<ProjectFileKey, string>>;
}

const keyShape = /bt_[0-9A-Za-z]{12}_[0-9A-Za-z_-]{20,}/;

/**
 * Reads the project file: the named one, else the first `.bomtrail.yaml` from a folder upwards to the root of its git
 * repository. A file with an API key is rejected, as everyone with access to the repository can read it.
 *
 * @throws CliError (usage) if it cannot be read, has an unknown entry or contains a key
 */
export function readProjectFile(folder: string, named?: string): ProjectFile {
  const file = named ?? findUpwards(folder);
  if (file === null) return { path: null, values: {} };
  if (!existsSync(file)) throw usageError(`The project file ${file} does not exist.`);
  return { path: file, values: parse(file, readFileSync(file, 'utf8')) };
}

function findUpwards(folder: string): string | null {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const file = path.join(at, PROJECT_FILE);
    if (existsSync(file)) return file;
    if (existsSync(path.join(at, '.git')) || path.dirname(at) === at) return null;
  }
}

function parse(file: string, text: string): ProjectFile['values'] {
  if (keyShape.test(text)) {
    throw usageError(
      `${file} contains an API key. Revoke that key, remove it from the file and its history, and set a new one in BOMTRAIL_API_KEY.`,
    );
  }
  const entries = Object.entries(parseYaml(file, text));
  const values: ProjectFile['values'] = {};
  for (const [name, value] of entries) {
    if (/key|token|secret/i.test(name)) {
      throw usageError(`${file}: "${name}" is not allowed. Set the key in BOMTRAIL_API_KEY.`);
    }
    if (!(PROJECT_FILE_KEYS as readonly string[]).includes(name)) {
      throw usageError(`${file}: unknown entry "${name}". Known: ${PROJECT_FILE_KEYS.join(', ')}.`);
    }
    if (!['string', 'number', 'boolean'].includes(typeof value)) {
      throw usageError(`${file}: "${name}" must be a single value.`);
    }
    values[name as ProjectFileKey] = String(value);
  }
  return values;
}

function parseYaml(file: string, text: string): object {
  // Loaded on demand: it takes a tenth of the start time.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const yaml = require('yaml') as typeof Yaml;
  let read: unknown;
  try {
    read = yaml.parse(text);
  } catch (error) {
    throw usageError(`${file} is not valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  if (read === null) return {};
  if (typeof read !== 'object' || Array.isArray(read)) {
    throw usageError(`${file} must contain names and values.`);
  }
  return read;
}
