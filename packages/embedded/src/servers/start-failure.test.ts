import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logSince, logSize } from './start-failure';

test('the log of a start has what it said before a long stack, and nothing of the start before', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bomtrail-log-'));
  const path = join(folder, 'mongod.log');
  expect([await logSize(path), await logSince(path, 0)]).toEqual([0, '']);
  await appendFile(path, 'Address already in use\n');
  const begin = await logSize(path);
  const said = `No space left on device\n${'frame\n'.repeat(5_000)}`;
  await appendFile(path, said);
  expect(await logSince(path, begin)).toBe(said);
  await rm(folder, { recursive: true });
});
