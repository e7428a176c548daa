import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lockFolder } from './folder-lock';
import { readAddresses, writeAddresses } from './server-addresses';

const addresses = { mongoUri: 'mongodb://127.0.0.1:1/', natsUrl: 'nats://127.0.0.1:2' };
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-addresses-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a stack that runs can be found, by its owner only, and not any more when it has stopped', async () => {
  const unlock = await lockFolder(folder);
  expect(await readAddresses(folder)).toBeUndefined();
  const takeBack = await writeAddresses(folder, addresses);
  expect(await readAddresses(folder)).toEqual(addresses);
  expect((await stat(join(folder, 'servers.json'))).mode & 0o777).toBe(0o600);
  await takeBack();
  expect(await readAddresses(folder)).toBeUndefined();
  await unlock();
});

test('what a stack that was killed has left behind is not believed', async () => {
  await writeAddresses(folder, addresses);
  expect(await readAddresses(folder)).toBeUndefined();
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 22 + 1, began: '1' }));
  expect(await readAddresses(folder)).toBeUndefined();
  expect(await readAddresses(join(folder, 'nothing'))).toBeUndefined();
});
