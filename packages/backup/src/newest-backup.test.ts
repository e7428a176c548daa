import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BACKUP_FORMAT, MANIFEST_FILE } from './manifest';
import { newestBackup } from './newest-backup';

const now = new Date('2026-01-31T12:00:00Z');
const wanted = { maxAgeHours: undefined, release: '1.0.1', now };
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backups-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function backupOf(name: string, begun_at: string | null): Promise<void> {
  await mkdir(join(folder, name));
  if (begun_at === null) return;
  const manifest = { format: BACKUP_FORMAT, version: '1.0.1', begun_at, prefix: 'a_' };
  const text = JSON.stringify({ ...manifest, collections: [] });
  await writeFile(join(folder, name, MANIFEST_FILE), text);
}

test('the newest backup is the one that began last, whatever it is called; incomplete ones do not count', async () => {
  await backupOf('z', '2026-01-29T02:30:00.000Z');
  await backupOf('a', '2026-01-31T02:30:00.000Z');
  await backupOf('newer', null);
  await writeFile(join(folder, 'notes.txt'), '');
  expect(await newestBackup(folder, wanted)).toBe(join(folder, 'a'));
});

test('a folder without a complete backup is an error', async () => {
  await backupOf('begun', null);
  await expect(newestBackup(folder, wanted)).rejects.toThrow('has no complete backup');
});

test('a newest backup that is too old is an error', async () => {
  await backupOf('a', '2026-01-30T10:00:00.000Z');
  expect(await newestBackup(folder, { ...wanted, maxAgeHours: 26 })).toBe(join(folder, 'a'));
  await expect(newestBackup(folder, { ...wanted, maxAgeHours: 25 })).rejects.toThrow(
    'is of 2026-01-30T10:00:00.000Z, more than 25 hours ago',
  );
});
