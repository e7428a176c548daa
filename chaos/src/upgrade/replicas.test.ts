import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { SERVICE_NAMES, withTemporaryFolder } from '@bomtrail/embedded';
import { createReplicas, replicasOf, requireBundles, upgradeOrder } from './replicas';

test('a process is started from the bundles that it was given last, the other one of its service is not', () => {
  const { services, use } = createReplicas('/old');
  const programOf = (name: string) => services.find((one) => one.name === name)?.args;
  const [first, second] = replicasOf('ingest');
  use(first, '/new');
  expect(programOf(first)).toEqual(['/new/ingest/main.js']);
  expect(programOf(second)).toEqual(['/old/ingest/main.js']);
  use(first, '/old');
  expect(programOf(first)).toEqual(['/old/ingest/main.js']);
});

test('every service is replaced', () => {
  expect([...upgradeOrder].sort()).toEqual([...SERVICE_NAMES].sort());
});

test('a folder that has not all bundles is refused with what to do', async () => {
  await withTemporaryFolder('bundles', async (folder) => {
    for (const name of SERVICE_NAMES) mkdirSync(path.join(folder, name));
    expect(() => requireBundles(folder)).toThrow('has no bundle of tools: run "npm run bundle"');
    mkdirSync(path.join(folder, 'tools'));
    expect(requireBundles(folder)).toBe(folder);
  });
});
