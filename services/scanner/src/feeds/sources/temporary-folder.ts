import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** With the host: a folder may be shared by containers, whose process ids mean nothing to each other. */
const namePrefix = `bomtrail-feed-${hostname()}-`;

/** Creates a temporary folder; the caller removes it. */
export function makeTemporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), `${namePrefix}${process.pid}-`));
}

/** Removes the folders of killed processes of this host, of up to 2 GiB each, as far as this user may. */
export async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid] = /^(\d+)-[^-]+$/.exec(name.slice(namePrefix.length)) ?? [];
    if (!name.startsWith(namePrefix) || pid === undefined) continue;
    const folder = join(tmpdir(), name);
    if (await isInUse(folder, Number(pid))) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isInUse(folder: string, pid: number): Promise<boolean> {
  // In a container every process has the same id: what is older than this one is of a former one.
  if (pid === process.pid) {
    const found = await stat(folder).catch(() => null);
    return found !== null && found.mtimeMs >= Date.now() - process.uptime() * 1000;
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
