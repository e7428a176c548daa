import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { locateServer } from './locate';

let folder: string;
let said: string[];
const say = (line: string): void => void said.push(line);

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-locate-'));
  said = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A program that answers `--version` with the given text. */
async function program(path: string, version: string): Promise<string> {
  const file = join(folder, path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\necho "${version}"\n`);
  await chmod(file, 0o755);
  return file;
}

describe('looking for a server', () => {
  test('takes the one on the path before the one in the cache folder', async () => {
    const onPath = await program('bin/mongod', 'db version v7.0.1');
    await program('cache/mongod', 'db version v8.0.0');
    const options = { cacheDir: join(folder, 'cache'), say, searchPath: join(folder, 'bin') };
    expect(await locateServer('mongod', options)).toBe(onPath);
    expect(said).toEqual([]);
  });

  test('passes over one that is too old, and says why', async () => {
    const old = await program('bin/mongod', 'db version v4.4.0');
    const cached = await program('cache/mongod', 'db version v6.0.5');
    const options = { cacheDir: join(folder, 'cache'), say, searchPath: join(folder, 'bin') };
    expect(await locateServer('mongod', options)).toBe(cached);
    expect(said).toEqual([`Not using ${old}: it is 4.4.0, and 6.0 is the oldest supported.`]);
  });

  test('passes over one that does not run here', async () => {
    await program('bin/nats-server', 'x');
    await writeFile(
      join(folder, 'bin', 'nats-server'),
      '#!/bin/sh\necho no such library >&2\nexit 1\n',
    );
    const cached = await program('cache/nats-server', 'nats-server: v2.11.0');
    const options = { cacheDir: join(folder, 'cache'), say, searchPath: join(folder, 'bin') };
    expect(await locateServer('nats-server', options)).toBe(cached);
    expect(said.join()).toContain('no such library');
  });
});
