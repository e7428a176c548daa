import { readFileSync } from 'node:fs';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { createProgramGroup, type ProgramGroup } from './program-group';

/** Starts a program of Node.js. */
const startNode = (group: ProgramGroup, name: string, code: string): void =>
  group.start(name, process.execPath, { args: ['-e', code] });
const runs = 'setInterval(() => {}, 1e3); console.log("runs");';
const saysStopped = 'process.on("SIGTERM", () => { console.log("stopped"); process.exit(); });';
const neverReady = () => Promise.resolve('no answer');

test('a program that ends fails the wait with its last words, and stops the others', async () => {
  await withTemporaryFolder('programs', async (folder) => {
    const group = createProgramGroup(folder);
    const log = (name: string): string => readFileSync(path.join(folder, `${name}.log`), 'utf8');
    startNode(group, 'stays', saysStopped + runs);
    await group.untilReady(() => Promise.resolve(log('stays').includes('runs') ? null : 'no log'), {
      what: 'stays',
      withinMs: 30_000,
    });
    startNode(group, 'ends', 'console.log("a bad setting"); process.exit(1)');
    await expect(
      group.untilReady(neverReady, { what: 'ends is not ready', withinMs: 30_000 }),
    ).rejects.toThrow(/^ends is not ready: no answer\n(.|\n)*a bad setting$/);
    expect(log('stays')).toContain('stopped');
  });
});

test('a program that is not ready in time is stopped', async () => {
  await withTemporaryFolder('programs', async (folder) => {
    const group = createProgramGroup(folder);
    startNode(group, 'waits', runs);
    await expect(group.untilReady(neverReady, { what: 'not ready', withinMs: 1 })).rejects.toThrow(
      'not ready: no answer',
    );
  });
});
