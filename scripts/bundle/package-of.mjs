import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const known = new Map();

/**
 * The package that a file belongs to: the nearest folder above it whose package.json has a name and a
 * version (some packages hold further ones that only tell a module's kind).
 *
 * @returns {{ name: string, version: string, license: string | undefined, folder: string }}
 */
export function packageOf(file) {
  const folder = dirname(file);
  if (known.has(folder)) return known.get(folder);
  const manifest = join(folder, 'package.json');
  const found = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {};
  if (folder === dirname(folder)) throw new Error(`${file} belongs to no package`);
  const { name, version, license } = found;
  const result = name && version ? { name, version, license, folder } : packageOf(folder);
  known.set(folder, result);
  return result;
}
