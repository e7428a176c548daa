import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { freePort } from '../servers/free-port';
import { waitReady } from './wait-ready';

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;

describe('waiting for a service', () => {
  let server: Server;
  let status = 503;

  beforeAll(async () => {
    server = createServer((_, response) => response.writeHead(status).end('{"nats":"down"}'));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(() => server.close());

  it('ends with nothing to say once the service answers 200', async () => {
    setTimeout(() => (status = 200), 100);
    const options = { url: urlOf(server), withinMs: 10_000, isOver: () => false };
    expect(await waitReady(options)).toBeUndefined();
  });

  it('tells what the service answered last', async () => {
    status = 503;
    const options = { url: urlOf(server), withinMs: 200, isOver: () => false };
    expect(await waitReady(options)).toBe('503 {"nats":"down"}');
  });

  it('tells why nobody answered', async () => {
    const url = `http://127.0.0.1:${await freePort()}/readyz`;
    const options = { url, withinMs: 200, isOver: () => false };
    expect(await waitReady(options)).toContain('ECONNREFUSED');
  });
});
