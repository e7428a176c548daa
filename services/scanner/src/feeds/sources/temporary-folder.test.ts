import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, utimesSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { makeTemporaryFolder, removeLeftFolders } from './temporary-folder';

test('folders of processes that have ended are removed, and no others', async () => {
  const own = await makeTemporaryFolder();
  const ended = spawnSync(process.execPath, ['-e', '']).pid;
  const former = await makeTemporaryFolder();
  utimesSync(former, 1, 1);
  const made = (host: string, pid: number): string => {
    const folder = join(tmpdir(), `bomtrail-feed-${host}-${pid}-${basename(own).slice(-6)}`);
    mkdirSync(folder);
    return folder;
  };
  const left = [made(hostname(), ended), former];
  const others = [own, made(hostname(), process.ppid), made(`${hostname()}-2`, ended)];
  await removeLeftFolders();
  expect(left.filter(existsSync)).toEqual([]);
  expect(others.filter(existsSync)).toEqual(others);
  for (const folder of others) rmSync(folder, { recursive: true });
});
