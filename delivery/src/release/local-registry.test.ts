import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pulledDigest } from './local-registry';

const sha256 = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;
const manifest = JSON.stringify({
  config: { digest: sha256('config') },
  layers: [{ digest: sha256('layer') }],
});

let server: Server | undefined;

/** Serves these answers by path. */
async function registryWith(answers: Record<string, string>): Promise<string> {
  server = createServer(({ url = '' }, response) => {
    const text = answers[url.slice('/v2/'.length)];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => void server?.close());

const whole = {
  'team/one/manifests/1.0.0': manifest,
  [`team/one/blobs/${sha256('config')}`]: 'config',
  [`team/one/blobs/${sha256('layer')}`]: 'layer',
};

test('an image that is whole has the digest of its manifest', async () => {
  const host = await registryWith(whole);
  expect(await pulledDigest(`${host}/team/one:1.0.0`)).toBe(sha256(manifest));
});

test('another tag is not in the registry', async () => {
  const host = await registryWith(whole);
  await expect(pulledDigest(`${host}/team/one:2.0.0`)).rejects.toThrow('not in the registry (404)');
});

test('a damaged layer, or none, is found', async () => {
  const layer = `team/one/blobs/${sha256('layer')}`;
  const damaged = await registryWith({ ...whole, [layer]: 'other' });
  await expect(pulledDigest(`${damaged}/team/one:1.0.0`)).rejects.toThrow('missing or damaged');
  server?.close();
  const { [layer]: _, ...rest } = whole;
  const without = await registryWith(rest);
  await expect(pulledDigest(`${without}/team/one:1.0.0`)).rejects.toThrow('missing or damaged');
});
