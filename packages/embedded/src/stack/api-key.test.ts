import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstApiKey, isApiKey, newApiKey } from './api-key';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-key-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the first API key', () => {
  test('has the form that the gateway takes, and differs each time', () => {
    const keys = Array.from({ length: 50 }, () => newApiKey());
    for (const key of keys) expect(key).toMatch(/^bt_[A-Za-z0-9]{12}_[A-Za-z0-9_-]{43}$/);
    expect(new Set(keys).size).toBe(50);
  });

  test('is made once and kept for its owner only', async () => {
    const file = join(folder, 'api-key');
    const first = await firstApiKey(file, undefined);
    expect(first.origin).toBe('made-now');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await firstApiKey(file, '')).toEqual({ key: first.key, origin: 'stored' });
    expect((await readFile(file, 'utf8')).trim()).toBe(first.key);
  });

  test('is the one of the setting where there is one, which is kept nowhere', async () => {
    const file = join(folder, 'api-key');
    const key = newApiKey();
    expect(await firstApiKey(file, key)).toEqual({ key, origin: 'setting' });
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(firstApiKey(file, 'secret')).rejects.toThrow('BOMTRAIL_BOOTSTRAP_API_KEY');
  });

  test('in a damaged file stops the start instead of being replaced', async () => {
    const file = join(folder, 'api-key');
    await writeFile(file, 'bt_short');
    await expect(firstApiKey(file, undefined)).rejects.toThrow('holds no API key');
    expect(isApiKey('bt_short')).toBe(false);
  });
});
