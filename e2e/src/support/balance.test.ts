import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { balance } from './balance';

const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** A server that answers with its name. */
async function answering(name: string): Promise<number> {
  const server = createServer((request, response) => request.pipe(response).write(`${name} `));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function get(port: number, body = 'x'): Promise<string> {
  const headers = { connection: 'close' };
  return (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body, headers })).text();
}

test('connections go to one after the other, whole', async () => {
  const front = await balance([await answering('a'), await answering('b')]);
  const large = 'y'.repeat(3_000_000);
  const responses = [await get(front.port), await get(front.port, large), await get(front.port)];
  expect(responses).toEqual(['a x', `b ${large}`, 'a x']);
  front.close();
});

test('what does not listen is passed over', async () => {
  const gone = await answering('gone');
  servers.splice(0).forEach((server) => server.close());
  const front = await balance([gone, await answering('b')]);
  expect([await get(front.port), await get(front.port)]).toEqual(['b x', 'b x']);
  front.close();
});
