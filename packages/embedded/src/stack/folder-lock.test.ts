import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyFolder, lockFolder } from './folder-lock';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-lock-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function idOfDeadProcess(): Promise<number> {
  const child = spawn('true');
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('the lock of a data folder', () => {
  test('is refused while its holder lives, and free again when given back', async () => {
    const unlock = await lockFolder(folder);
    await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    await unlock();
    await (
      await lockFolder(folder)
    )();
    expect(await readdir(folder)).toEqual([]);
  });

  test('of a process that is gone is taken over', async () => {
    const pid = await idOfDeadProcess();
    await writeFile(join(folder, 'lock'), JSON.stringify({ pid, began: null }));
    await (
      await lockFolder(folder)
    )();
  });

  test('of a process whose id is used by another one now is taken over', async () => {
    const earlier = JSON.stringify({ pid: process.ppid, began: '1' });
    await writeFile(join(folder, 'lock'), earlier);
    await (
      await lockFolder(folder)
    )();
  });

  test('has one winner of many', async () => {
    const tries = Array.from({ length: 8 }, () => lockFolder(folder));
    const ended = await Promise.allSettled(tries);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('of what is no folder is refused with the setting that chooses another one', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(lockFolder(file)).rejects.toThrow(
      `The data folder ${file} cannot be used (EEXIST): make it a writable folder, or choose another one with BOMTRAIL_DATA_DIR.`,
    );
  });

  test('stays when the folder is emptied', async () => {
    await lockFolder(folder);
    await writeFile(join(folder, 'data'), 'x');
    await emptyFolder(folder);
    expect(await readdir(folder)).toEqual(['lock']);
  });
});
