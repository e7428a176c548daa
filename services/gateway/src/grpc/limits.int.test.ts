import { connect, type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { once } from 'node:events';
import { eventually } from '@bomtrail/testkit';
import { destroySessions } from '../testing/destroy-session';
import { connectGrpc } from '../testing/grpc-client';
import { projectId } from '../testing/fake-data';
import { fakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

const upload = { project_id: projectId, sbom_json: '{}' };
const health = '/grpc.health.v1.Health';
const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const emptyMessage = Buffer.alloc(5);
/** A question for the list of services: field 7, an empty text. */
const listServices = Buffer.from([0, 0, 0, 0, 2, 0x3a, 0]);

let gateway: TestGateway;
const sessions: ClientHttp2Session[] = [];

beforeAll(async () => {
  const settings = {
    MAX_GRPC_CONNECTIONS: 8,
    MAX_GRPC_CONNECTIONS_PER_ADDRESS: 6,
    MAX_GRPC_WATCHES: 16,
  };
  gateway = await startGateway(settings, { grpcRequestMs: 500 });
  fakeServices(gateway.bus);
});
afterEach(() => destroySessions(sessions.splice(0)));
afterAll(() => gateway?.stop());

function session(from = '127.0.0.1'): ClientHttp2Session {
  const socket = connectTcp({ port: gateway.grpcPort, host: '127.0.0.1', localAddress: from });
  const opened = connect('http://localhost', { createConnection: () => socket });
  opened.on('error', () => undefined);
  sessions.push(opened);
  return opened;
}

/** Opens a call with some bytes; `ends`: is the client's side ended with them? */
function open(
  on: ClientHttp2Session,
  path: string,
  given: { bytes?: Buffer; ends?: boolean } = {},
) {
  const call = on.request({
    ':method': 'POST',
    ':path': path,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => undefined);
  call.resume();
  if (given.bytes) call.write(given.bytes);
  if (given.ends) call.end();
  return call;
}

/** The gRPC status that ends a call. */
function statusOf(call: ClientHttp2Stream): Promise<string> {
  return new Promise((resolve) => {
    const check = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] !== undefined) resolve(String(headers['grpc-status']));
    };
    call.on('response', check);
    call.on('trailers', check);
    call.on('close', () => resolve('closed'));
  });
}

const watch = (on: ClientHttp2Session) =>
  open(on, `${health}/Watch`, { bytes: emptyMessage, ends: true });

/** The gateway takes an upload over a connection of its own. */
async function uploadSucceeds(): Promise<void> {
  const client = connectGrpc(gateway.grpcPort, undefined, { 'grpc.use_local_subchannel_pool': 1 });
  expect((await client.upload(upload)).status).toBe('OK');
  client.close();
}

test('of too many watches those beyond the limits are refused, and uploads go on', async () => {
  const one = session();
  const outcomes = Array.from({ length: 12 }, () => statusOf(watch(one)));
  const refused = await Promise.all(outcomes.slice(4));
  expect(new Set(refused)).toEqual(new Set(['8']));
  await uploadSucceeds();
});

test('places of watches are free again when their connection closes', async () => {
  const one = session();
  const statuses = Array.from({ length: 5 }, () => statusOf(watch(one)));
  expect(await statuses[4]).toBe('8');
  await destroySessions([one]);
  await eventually(
    async () => {
      const call = watch(session());
      const [{ ':status': status, 'grpc-status': code }] = (await once(call, 'response')) as [
        Record<string, unknown>,
      ];
      expect([status, code]).toEqual([200, undefined]);
    },
    { what: 'a watch is let in' },
  );
});

test('a connection beyond the limit of its address, or of all, is closed', async () => {
  const open = (from: string) => {
    const socket = connectTcp({ port: gateway.grpcPort, host: '127.0.0.1', localAddress: from });
    socket.on('error', () => undefined);
    return socket;
  };
  const greedy = Array.from({ length: 7 }, () => open('127.0.0.3'));
  await once(greedy[6] as (typeof greedy)[0], 'close');
  const others = Array.from({ length: 3 }, () => open('127.0.0.4'));
  await once(others[2] as (typeof others)[0], 'close');
  expect([...greedy.slice(0, 6), ...others.slice(0, 2)].some((one) => one.closed)).toBe(false);
  for (const socket of [...greedy, ...others]) socket.destroy();
  await eventually(uploadSucceeds, { what: 'there is room again' });
});

test('a message to a method that needs no key is refused before it is whole', async () => {
  const message = Buffer.alloc(1024 * 1024);
  message.writeUInt32BE(60 * 1024 * 1024, 1);
  for (const path of [`${health}/Check`, `${health}/Watch`, reflection]) {
    expect(await statusOf(open(session(), path, { bytes: message }))).toBe('8');
  }
});

test('reflection answers so many questions in one stream, and no more', async () => {
  const one = session();
  const few = open(one, reflection, { bytes: Buffer.concat([listServices, listServices]) });
  const many = open(one, reflection, { bytes: Buffer.concat(Array(1_000).fill(listServices)) });
  expect(await statusOf(many)).toBe('8');
  few.end();
  expect(await statusOf(few)).toBe('0');
});

test('a call that was refused is ended for good, though the client never ends it', async () => {
  const call = open(session(), '/sbom.SBOMService/UploadSBOM', { bytes: emptyMessage });
  expect(await statusOf(call)).toBe('16');
  await once(call, 'close');
});

test('a call whose message never comes is ended', async () => {
  expect(await statusOf(open(session(), `${health}/Check`))).toBe('4');
  expect(await statusOf(open(session(), `${health}/Watch`, { bytes: emptyMessage }))).toBe('4');
});
