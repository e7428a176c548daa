import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_NAMES, type ServiceCommand } from '@bomtrail/embedded';
import { repositoryRoot } from './real-data';

/** Makes the bundles of the images anew: `dist/images/<image>`. Rejects with what the command complained of. */
export async function makeBundles(): Promise<void> {
  const script = path.join(repositoryRoot, 'scripts', 'bundle.mjs');
  await promisify(execFile)(process.execPath, [script], { cwd: repositoryRoot });
}

/** Copies the bundles of one image, so that nothing can be written into the copy. */
export function copyBundle(image: string, folder: string): void {
  cpSync(path.join(repositoryRoot, 'dist', 'images', image), folder, { recursive: true });
  makeReadOnly(folder);
}

function makeReadOnly(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    chmodSync(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o555 : 0o444);
  }
  chmodSync(folder, 0o555);
}

/** The six services from their bundles, each in a folder of its own below `folder`, with the entry point of its image. */
export function shippedServices(folder: string): ServiceCommand[] {
  return SERVICE_NAMES.map((name) => {
    copyBundle(name, path.join(folder, name));
    return { name, command: process.execPath, args: [path.join(folder, name, 'main.js')] };
  });
}
