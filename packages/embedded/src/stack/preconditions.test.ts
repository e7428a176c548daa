import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { requireHost, requireNode, requirePort } from './preconditions';

describe('what must be so before a start', () => {
  test.each(['20.19.0', '20.20.2', '22.0.0'])('Node.js %s is new enough', (version) => {
    expect(() => requireNode(version)).not.toThrow();
  });

  test.each(['20.18.3', '18.20.0'])('Node.js %s is too old', (version) => {
    expect(() => requireNode(version)).toThrow('needs Node.js 20.19 or newer');
  });

  test.each(['127.0.0.1', '0.0.0.0'])(
    'a port taken on %s is named with its setting',
    async (host) => {
      const server = createServer();
      server.listen(0, host);
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      await expect(requirePort(port, 'HTTP_PORT')).rejects.toThrow(`HTTP_PORT=${port + 1}`);
      server.close();
      await once(server, 'close');
      await expect(requirePort(port, 'HTTP_PORT')).resolves.toBeUndefined();
    },
  );

  test('a host that is none of this machine is named with its setting', async () => {
    await expect(requireHost('192.0.2.1', 'HTTP_HOST')).rejects.toThrow(
      'HTTP_HOST=192.0.2.1 must be an address of this machine (EADDRNOTAVAIL).',
    );
    await expect(requireHost('127.0.0.1', 'HTTP_HOST')).resolves.toBeUndefined();
  });
});
