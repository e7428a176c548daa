import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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

/**
 * Whether what npm noted as installed is what the lock file lists. Optional packages may be missing: they
 * are for other systems. The root entry and the workspaces are no packages that npm installs.
 */
export function isSamePackages(listed, present) {
  const isPackage = (path) => path.startsWith('node_modules/') || path.includes('/node_modules/');
  for (const path of Object.keys(present).filter(isPackage)) {
    const [here, there] = [present[path], listed[path]];
    if (there === undefined) return false;
    if (here.version !== there.version || here.integrity !== there.integrity) return false;
  }
  return Object.keys(listed)
    .filter(isPackage)
    .every((path) => path in present || listed[path].optional || listed[path].devOptional);
}
