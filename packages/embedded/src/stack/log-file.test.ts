import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLog, rotateLog } from './log-file';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-log-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a log file', () => {
  test('is put aside when it has grown too large, and only then', async () => {
    const path = join(folder, 'catalog.log');
    rotateLog(path, 5);
    await writeFile(path, '12345');
    rotateLog(path, 5);
    expect(await readdir(folder)).toEqual(['catalog.log']);
    await writeFile(path, '123456');
    rotateLog(path, 5);
    expect(await readdir(folder)).toEqual(['catalog.log.1']);
  });

  test('is appended to', async () => {
    const path = join(folder, 'logs', 'a.log');
    for (const text of ['one\n', 'two\n']) {
      const log = openLog(path, () => undefined);
      log.write(Buffer.from(text));
      await log.close();
    }
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\n');
  });

  test('can be closed twice', async () => {
    const log = openLog(join(folder, 'a.log'), () => undefined);
    await Promise.all([log.close(), log.close()]);
    await log.close();
  });

  test('that cannot be written is told and stops nothing', async () => {
    const problems: string[] = [];
    const log = openLog(folder, (error) => problems.push(error.message));
    log.write(Buffer.from('x'));
    await log.close();
    log.write(Buffer.from('y'));
    expect(problems).toHaveLength(1);
  });

  test('is written again once it can be', async () => {
    const path = join(folder, 'a.log');
    await symlink('/dev/full', path);
    let failed: () => void = () => undefined;
    const failing = new Promise<void>((resolve) => (failed = resolve));
    const log = openLog(path, () => failed(), 0);
    log.write(Buffer.from('lost'));
    await failing;
    await rm(path);
    log.write(Buffer.from('two\n'));
    await log.close();
    expect(await readFile(path, 'utf8')).toBe('two\n');
  });
});
