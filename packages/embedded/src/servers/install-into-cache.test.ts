import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installIntoCache } from './install-into-cache';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('putting a download into the cache', () => {
  test('two at the same time leave one complete folder and nothing else', async () => {
    const target = join(folder, 'tool-1.0');
    const both = ['first', 'second'].map((word) =>
      installIntoCache(target, (temporary) => writeFile(join(temporary, 'tool'), word)),
    );
    await Promise.all(both);
    expect(await readdir(folder)).toEqual(['tool-1.0']);
    expect(['first', 'second']).toContain(await readFile(join(target, 'tool'), 'utf8'));
  });

  test('one that fails leaves nothing', async () => {
    const failing = installIntoCache(join(folder, 'tool-1.0'), async (temporary) => {
      await writeFile(join(temporary, 'half'), 'x');
      throw new Error('the line went dead');
    });
    await expect(failing).rejects.toThrow('the line went dead');
    expect(await readdir(folder)).toEqual([]);
  });
});
