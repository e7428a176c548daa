import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { SERVICE_NAMES, type ServiceCommand } from '@bomtrail/embedded';
import { repositoryRoot } from '../support/real-data';
import { copyBundle, shippedServices } from '../support/shipped';

const run = promisify(execFile);

/** The user of the images. */
export const imageUser = 1000;

/** Programs as the images start them. */
export interface ImageRoots {
  services: ServiceCommand[];
  /** How another program of a service's image is started, such as its health check. */
  program(service: string, file: string): ServiceCommand;
  /** Whether each has a root of its own with nothing in it but what its image holds, and a user without rights. */
  isolated: boolean;
}

/**
 * Lays out the root of each service's image below `folder`: what `runtime-root.sh` takes from this Debian,
 * and the bundle. Only root on a Debian can do so and enter it; otherwise the bundles are started where
 * they lie, by this machine's Node.js, which shows the entry points and the read-only folder alone.
 */
export async function layOutImages(folder: string): Promise<ImageRoots> {
  const isolated = process.getuid?.() === 0 && existsSync('/usr/bin/dpkg-query');
  if (!isolated) {
    const services = shippedServices(folder);
    const program = (service: string, file: string): ServiceCommand => ({
      name: service,
      command: process.execPath,
      args: [path.join(folder, service, file)],
    });
    return { services, program, isolated };
  }
  const runtime = path.join(folder, 'runtime');
  await mkdir(runtime, { recursive: true });
  await run('sh', [path.join(repositoryRoot, 'deploy', 'docker', 'runtime-root.sh'), runtime]);
  for (const name of SERVICE_NAMES) {
    const root = path.join(folder, name);
    // The same files under another name: Node.js alone is a hundred megabytes.
    await run('cp', ['-al', runtime, root]);
    copyBundle(name, path.join(root, 'app'));
  }
  return rootsIn(folder);
}

/** Programs in the roots of images, a folder for each service; only root can enter them. */
export function rootsIn(folder: string): ImageRoots {
  const program = (service: string, file: string): ServiceCommand => ({
    name: service,
    command: 'chroot',
    args: [
      `--userspec=${imageUser}:${imageUser}`,
      `--groups=${imageUser}`,
      path.join(folder, service),
      '/usr/local/bin/node',
      `/app/${file}`,
    ],
  });
  const services = SERVICE_NAMES.map((name) => program(name, 'main.js'));
  return { services, program, isolated: true };
}
