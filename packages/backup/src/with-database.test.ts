import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withDatabase } from './with-database';

const folder = mkdtempSync(join(tmpdir(), 'bomtrail-settings-'));
const password = join(folder, 'password');
writeFileSync(password, 'secret\n');
const uri = 'mongodb://127.0.0.1:1/';

test.each([
  [{ MONGODB_USERNAME: 'operator' }, 'MONGODB_USERNAME: needs MONGODB_PASSWORD.'],
  [{ MONGODB_PASSWORD_FILE: password }, 'MONGODB_PASSWORD: needs MONGODB_USERNAME.'],
  [
    { MONGODB_PASSWORD: 'x', MONGODB_PASSWORD_FILE: password, MONGODB_USERNAME: 'operator' },
    'MONGODB_PASSWORD: both MONGODB_PASSWORD and MONGODB_PASSWORD_FILE are set; remove one.',
  ],
  [{ MONGODB_URI: 'localhost' }, 'MONGODB_URI: must begin with mongodb:// or mongodb+srv://.'],
  [
    { MONGODB_DATABASE_PREFIX: 'a.b' },
    'MONGODB_DATABASE_PREFIX: may hold letters, digits, _ and -.',
  ],
])('%j is refused as by every service, before anything is connected to', async (given, line) => {
  const env = { MONGODB_URI: uri, ...given };
  const work = jest.fn();
  await expect(withDatabase({ env, say: () => {}, beside: true }, work)).rejects.toMatchObject({
    name: 'SettingsError',
    lines: [line],
  });
  expect(work).not.toHaveBeenCalled();
});

test('where there is no data folder the address is required', async () => {
  const work = jest.fn();
  const without = withDatabase({ env: {}, say: () => {}, beside: true }, work);
  await expect(without).rejects.toMatchObject({ lines: ['MONGODB_URI: is required but not set.'] });
  expect(work).not.toHaveBeenCalled();
});
