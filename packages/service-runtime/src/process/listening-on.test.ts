import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { listeningOn } from './listening-on';

/** A server on this address, or its error. */
async function listen(host: string, port = 0): Promise<ReturnType<typeof createServer>> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  return server;
}

test('an address that this machine does not have is named with its setting', async () => {
  // For documentation only (RFC 5737).
  await expect(listeningOn('HTTP_HOST', listen('192.0.2.1'))).rejects.toMatchObject({
    name: 'SettingsError',
    lines: ['HTTP_HOST: must be an address of this machine (EADDRNOTAVAIL).'],
  });
});

test('a port in use is no wrong setting', async () => {
  const first = await listeningOn('HTTP_HOST', listen('127.0.0.1'));
  const { port } = first.address() as AddressInfo;
  await expect(listeningOn('HTTP_HOST', listen('127.0.0.1', port))).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
  first.close();
});
