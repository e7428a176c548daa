import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isRunning, poll } from '../testing/poll';

/** A process that starts `sleep` through the built package, prints its id, and waits. */
const parentScript = `
  const { spawnManaged } = require(process.argv[1]);
  spawnManaged({ command: 'sleep', args: ['600'] }).then((child) => {
    console.log(child.pid);
    setInterval(() => undefined, 1000);
  });
`;

test('a child does not outlive a parent that is killed', async () => {
  const built = join(process.cwd(), 'packages/embedded/dist/processes/managed-process.js');
  const parent = spawn(process.execPath, ['-e', parentScript, built]);
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString());
  expect(await isRunning(pid)).toBe(true);
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  await poll('the child is gone', async () => ((await isRunning(pid)) ? undefined : true));
});
