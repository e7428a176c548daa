import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSamePackages } from './same-packages.cjs';

/**
 * Whether node_modules holds what package-lock.json lists. The hash of a lock file that was found
 * installed is kept in node_modules/.bomtrail-lock, so that looking again costs nothing.
 */
export function isInstalled(root) {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lockText).digest('hex');
  const stamp = join(root, 'node_modules', '.bomtrail-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true;
  const installed = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installed)) return false;
  const present = JSON.parse(readFileSync(installed, 'utf8')).packages;
  if (!isSamePackages(JSON.parse(lockText).packages, present)) return false;
  writeFileSync(stamp, hash);
  return true;
}
