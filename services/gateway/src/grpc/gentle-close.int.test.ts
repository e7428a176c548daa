import { once } from 'node:events';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { HttpServer } from '@bomtrail/http-edge';
import { createLogger } from '@bomtrail/telemetry';
import { destroySessions } from '../testing/destroy-session';
import { credentialsOf } from './credentials';
import { openGrpcServer } from './server';
import type { SbomServiceDeps } from './sbom-service';

let server: HttpServer;
let session: ClientHttp2Session;

beforeEach(async () => {
  const at = {
    host: '127.0.0.1',
    port: 0,
    credentials: credentialsOf({}),
    connections: { total: 8, perAddress: 8 },
    watches: 8,
  };
  const log = createLogger({ service: 'test', level: 'fatal', format: 'json' });
  server = await openGrpcServer(at, { log } as SbomServiceDeps);
  session = connect(`http://127.0.0.1:${server.port}`);
  session.on('error', () => undefined);
  await once(session, 'remoteSettings');
});
afterEach(async () => {
  await destroySessions([session]);
  await server.close();
});

function call(method: string) {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/grpc.health.v1.Health/${method}`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  stream.on('error', () => undefined);
  stream.resume();
  stream.end(Buffer.alloc(5));
  return stream;
}

test('a call in one write with the GOAWAY of its client is answered, then the connection ends', async () => {
  const goaways: number[] = [];
  session.on('goaway', (_code, lastStream) => goaways.push(lastStream));
  session.goaway();
  const stream = call('Check');
  const ended = once(session, 'close');
  const [trailers] = (await once(stream, 'trailers')) as [Record<string, unknown>];
  expect(trailers['grpc-status']).toBe('0');
  await ended;
  expect(goaways[0]).toBe(2 ** 31 - 1);
});

test('a stop begins with a GOAWAY that ends no call', async () => {
  const watch = call('Watch');
  await once(watch, 'data');
  const told = once(session, 'goaway');
  const stopped = server.close();
  expect(await told).toEqual([0, 2 ** 31 - 1, undefined]);
  await stopped;
});
