import { createServer, type AddressInfo, type Server } from 'node:net';
import { systemCodeOf } from '../operator-error';

/** A TCP port on 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('the system gave no free port');
  return port;
}

/** Several different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listenAnywhere()));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

/** The system's error code (`EADDRINUSE`, `EACCES`) when one cannot listen on the port, else undefined. */
export function portTrouble(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCodeOf(error) ?? error.message));
    server.listen({ port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

function listenAnywhere(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
