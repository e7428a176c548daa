import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { SERVICE_NAMES } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';
import { repositoryRoot } from './support/real-data';

// As process 1 of a container Node ignores a signal for which there is no handler.
test.each(SERVICE_NAMES)('%s stops on a signal while it waits for its servers', async (service) => {
  const main = path.join(repositoryRoot, 'services', service, 'dist', 'main.js');
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      INTERNAL_HTTP_PORT: '0',
      MONGODB_URI: 'mongodb://127.0.0.1:1/?replicaSet=rs0',
      NATS_URL: 'nats://127.0.0.1:1',
    },
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  try {
    await eventually(() => log.includes('trying again'), { what: 'it waits for a server' });
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    expect(log).toContain('Shutting down.');
  } finally {
    child.kill('SIGKILL');
  }
});
