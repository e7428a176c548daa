import { connect } from 'node:http2';
import type { Answer, Transports, HostileInput } from '../hostile-input';
import { openFlood, type Flood } from '../http2-flood';
import { npm, withComponents } from './documents';

const watch = '/grpc.health.v1.Health/Watch';
const check = '/grpc.health.v1.Health/Check';
const reflection = '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo';
const mebibyte = 1024 * 1024;

/** A document that no other input sends. */
const normal = (name: string): Buffer => withComponents([npm(name)]);

/** Opens a flood and, while it stands, uploads a document over gRPC. */
function flood(name: string, what: string, calls: Omit<Flood, 'port'>): HostileInput {
  return {
    name,
    what,
    expected: ['grpc 0'],
    send: async (transports) => {
      const open = await openFlood({ ...calls, port: transports.grpcPort });
      try {
        return [await transports.uploadOverGrpc(normal(name))];
      } finally {
        open.close();
      }
    },
  };
}

/** Messages of 60 MiB to a method that needs no key, none of them sent to its end. */
async function largeChecks(transports: Transports, calls: number): Promise<Answer[]> {
  const session = connect(`http://127.0.0.1:${transports.grpcPort}`);
  session.on('error', () => undefined);
  const message = Buffer.alloc(60 * mebibyte);
  message.writeUInt32BE(message.length, 1);
  const sent = Array.from({ length: calls }, () => {
    const call = session.request({
      ':method': 'POST',
      ':path': check,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    call.on('error', () => undefined);
    call.resume();
    return new Promise<void>((resolve) => {
      call.once('close', resolve);
      call.write(message, () => resolve());
    });
  });
  try {
    await Promise.all(sent);
    return [await transports.uploadOverGrpc(normal('grpc-large-checks'))];
  } finally {
    session.destroy();
  }
}

const own = '127.0.0.1';
const other = '127.0.0.2';

/** Clients without a key that take connections, calls and memory; beside them an upload must succeed. */
export const floodInputs: readonly HostileInput[] = [
  flood('grpc-watches', '120 connections with 990 Health/Watch each, and an upload beside them', {
    from: own,
    connections: 120,
    streams: 990,
    path: watch,
    sendsMessage: true,
  }),
  flood('grpc-half-open', '120 connections with 990 calls whose message never comes', {
    from: own,
    connections: 120,
    streams: 990,
    path: check,
    sendsMessage: false,
  }),
  flood('grpc-reflection', '120 connections with 990 reflection streams that stay open', {
    from: own,
    connections: 120,
    streams: 990,
    path: reflection,
    sendsMessage: false,
  }),
  flood('grpc-connections', '3,000 connections from one address, an upload from another one', {
    from: other,
    connections: 3_000,
    streams: 1,
    path: watch,
    sendsMessage: true,
  }),
  {
    name: 'grpc-large-checks',
    what: '20 Health/Check with messages of 60 MiB that do not end, and an upload beside them',
    expected: ['grpc 0'],
    send: (transports) => largeChecks(transports, 20),
  },
];
