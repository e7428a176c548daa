import { mkdtempSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@bomtrail/telemetry';
import { readSettings } from '@bomtrail/settings';
import { composeUploads } from './compose-uploads';
import { settings } from './config';

const removeStaleFiles = (BOMTRAIL_TEMP_DIR: string): Promise<void> =>
  composeUploads(
    {
      broadcast: () => undefined,
      log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    },
    readSettings(settings, { MONGODB_URI: 'mongodb://x', NATS_URL: 'nats://x', BOMTRAIL_TEMP_DIR }),
  ).removeStaleFiles();

function temporaryFolder(): string {
  return mkdtempSync(path.join(tmpdir(), 'bomtrail-temp-dir-'));
}

test.each([
  ['/no/such', 'ENOENT'],
  [__filename, 'ENOTDIR'],
])('%s cannot be the folder of large uploads', async (folder, code) => {
  await expect(removeStaleFiles(folder)).rejects.toMatchObject({
    name: 'SettingsError',
    lines: [`BOMTRAIL_TEMP_DIR: files cannot be created in ${folder} (${code}).`],
  });
});

test('what cannot be removed from it does not stop the start', async () => {
  const folder = temporaryFolder();
  // Stands for the file of another user.
  mkdirSync(path.join(folder, 'bomtrail-upload-1'));
  writeFileSync(path.join(folder, 'bomtrail-upload-2'), '');
  for (const name of readdirSync(folder)) utimesSync(path.join(folder, name), 0, 0);
  await removeStaleFiles(folder);
  expect(readdirSync(folder)).toEqual(['bomtrail-upload-1']);
});
