import { connect, type Socket } from 'node:net';

/** Calls that a hostile client opens over HTTP/2, and leaves open. */
export interface Flood {
  port: number;
  /** Address that the connections come from. */
  from: string;
  connections: number;
  /** Calls on each connection, whatever number the server allows. */
  streams: number;
  /** gRPC method, `/package.Service/Method`. */
  path: string;
  /** Does each call send its message, an empty one, or nothing after its headers? */
  sendsMessage: boolean;
}

/** A flood that the server has read to its end. */
export interface OpenFlood {
  /** Connections that the server closed at once or while it read. */
  refusedConnections: number;
  close(): void;
}

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frameType = { data: 0, headers: 1, settings: 4, ping: 6 } as const;
const endStream = 1;
const endHeaders = 4;
const emptyMessage = Buffer.alloc(5);
const connectionsAtOnce = 100;

/**
 * Opens the calls with frames written by hand: a client library would keep to the server's settings and hold as
 * much memory for each call as the server. Resolves when the server has read all of them or closed the connection.
 */
export async function openFlood(flood: Flood): Promise<OpenFlood> {
  const bytes = Buffer.concat([
    preface,
    frame({ type: frameType.settings }),
    ...Array.from({ length: flood.streams }, (_, n) => call(flood, 2 * n + 1)),
    frame({ type: frameType.ping, payload: Buffer.alloc(8) }),
  ]);
  const sockets: Socket[] = [];
  let refusedConnections = 0;
  for (let opened = 0; opened < flood.connections; opened += connectionsAtOnce) {
    const some = Math.min(connectionsAtOnce, flood.connections - opened);
    const outcomes = Array.from({ length: some }, () => openOne(flood, bytes, sockets));
    for (const outcome of await Promise.all(outcomes)) {
      if (outcome === 'closed') refusedConnections += 1;
    }
  }
  return {
    refusedConnections,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** The ping stands behind all calls: its answer says that they were read. */
function openOne(flood: Flood, bytes: Buffer, sockets: Socket[]): Promise<'read' | 'closed'> {
  return new Promise((resolve) => {
    const at = { host: '127.0.0.1', port: flood.port, localAddress: flood.from };
    const socket = connect(at, () => socket.write(bytes));
    sockets.push(socket);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
        if (rest[3] === frameType.ping && rest[4] === 1) resolve('read');
        rest = rest.subarray(9 + rest.readUIntBE(0, 3));
      }
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve('closed'));
  });
}

function call({ path, sendsMessage }: Flood, stream: number): Buffer {
  const headers = frame({
    type: frameType.headers,
    flags: endHeaders,
    stream,
    payload: head(path),
  });
  if (!sendsMessage) return headers;
  const message = { type: frameType.data, flags: endStream, stream, payload: emptyMessage };
  return Buffer.concat([headers, frame(message)]);
}

function frame(given: { type: number; flags?: number; stream?: number; payload?: Buffer }): Buffer {
  const { type, flags = 0, stream = 0, payload = Buffer.alloc(0) } = given;
  const start = Buffer.alloc(9);
  start.writeUIntBE(payload.length, 0, 3);
  start.writeUInt8(type, 3);
  start.writeUInt8(flags, 4);
  start.writeUInt32BE(stream, 5);
  return Buffer.concat([start, payload]);
}

/** HPACK (RFC 7541): names by their index in the static table where there is one, values as they are. */
function head(path: string): Buffer {
  const text = (value: string): Buffer =>
    Buffer.concat([Buffer.from([value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0x83, 0x86, 0x04]), // :method POST, :scheme http, :path
    text(path),
    Buffer.from([0x01]), // :authority
    text('localhost'),
    Buffer.from([0x0f, 0x10]), // content-type
    text('application/grpc'),
    Buffer.from([0x00]),
    text('te'),
    text('trailers'),
  ]);
}
