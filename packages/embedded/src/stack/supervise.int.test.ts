import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnManaged } from '../processes/managed-process';
import { isRunning, poll } from '../testing/poll';
import { supervise, type Supervised } from './supervise';

let folder: string;
let said: string[];
const running: Supervised[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bomtrail-supervise-'));
  said = [];
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((one) => one.stop()));
  await rm(folder, { recursive: true, force: true });
});

/** Supervises a shell script. */
async function run(script: string, extra: { hopelessExitCode?: number } = {}): Promise<Supervised> {
  const launch = () => spawnManaged({ command: '/bin/sh', args: ['-c', script], cwd: folder });
  const program = { name: 'shop', launch, graceMs: 300, ...extra };
  const supervised = await supervise(program, (line) => said.push(line));
  running.push(supervised);
  return supervised;
}

describe('a program under supervision', () => {
  test('that is killed runs again, as another process', async () => {
    const shop = await run('exec sleep 60');
    const first = shop.pid();
    shop.kill('SIGKILL');
    const second = await poll('it runs again', () =>
      shop.pid() === first ? undefined : (shop.pid() ?? undefined),
    );
    expect(await isRunning(second)).toBe(true);
    expect(said).toEqual(['shop was killed; starting it again in 0.2 s.']);
  });

  test('that ends at once again and again is started with a growing wait', async () => {
    await run('echo x >> starts; exit 3');
    await poll('three crashes', () => (said.length >= 3 ? true : undefined));
    expect(said.slice(0, 3)).toEqual([
      'shop ended (exit code 3); starting it again in 0.2 s.',
      'shop ended (exit code 3); starting it again in 0.4 s.',
      'shop ended (exit code 3); starting it again in 0.8 s.',
    ]);
    expect((await readFile(join(folder, 'starts'), 'utf8')).length).toBe('x\n'.length * 3);
  });

  test('that is stopped stays stopped, also between a crash and the next start', async () => {
    const shop = await run('exit 1');
    await poll('a crash', () => (said.length > 0 ? true : undefined));
    await shop.stop();
    expect(shop.pid()).toBeNull();
  });

  test('that does not end by itself when stopped is killed', async () => {
    const shop = await run('trap "" TERM; touch trapped; while true; do sleep 1; done');
    const pid = shop.pid() ?? 0;
    await poll('it is deaf', () =>
      readFile(join(folder, 'trapped')).then(
        () => true,
        () => undefined,
      ),
    );
    await shop.stop();
    expect(await isRunning(pid)).toBe(false);
    expect(said).toEqual([]);
  });

  test('that says that its settings are wrong is given up', async () => {
    const shop = await run('exit 78', { hopelessExitCode: 78 });
    await shop.givenUp;
    expect(shop.pid()).toBeNull();
    expect(said).toEqual([]);
  });
});
