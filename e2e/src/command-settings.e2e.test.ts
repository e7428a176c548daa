import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const commands = [
  { name: 'keys', program: 'gateway/dist/command/keys-main.js', argument: 'list', code: 1 },
  {
    name: 'reconcile',
    program: 'reconciler/dist/command/reconcile-main.js',
    argument: '--verify',
    code: 2,
  },
];

test.each(commands)('$name names the setting that is wrong', ({ program, argument, code }) => {
  const run = (env: NodeJS.ProcessEnv): [number | null, string] => {
    const main = path.join(repositoryRoot, 'services', program);
    const { status, stderr } = spawnSync(process.execPath, [main, argument], {
      env: { PATH: process.env['PATH'], NATS_URL: 'nats://127.0.0.1:1', ...env },
      encoding: 'utf8',
    });
    return [status, stderr];
  };
  expect(run({ MONGODB_URI: 'mongodb://h:99999' })).toEqual([
    code,
    'MONGODB_URI: Unable to parse h:99999 with URL.\n',
  ]);
  expect(run({ MONGODB_URI: 'mongodb://127.0.0.1:1', MONGODB_USERNAME: 'gateway' })).toEqual([
    code,
    'MONGODB_USERNAME: needs MONGODB_PASSWORD.\n',
  ]);
});

test('a command that cannot connect to NATS names the reason of its last attempt', () => {
  const main = path.join(
    repositoryRoot,
    'packages/messaging/dist/dead-letters/dead-letters-main.js',
  );
  const { status, stderr } = spawnSync(process.execPath, [main, 'list'], {
    // Nothing listens on this port.
    env: { PATH: process.env['PATH'], NATS_URL: 'nats://127.0.0.1:1' },
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([3, 'NATS cannot be reached at NATS_URL: connection refused\n']);
}, 30_000);
