import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { BenchFailure } from '../bench-failure';
import type { Upload } from '../load/api';
import { encodeUpload, readSbomId } from './grpc-messages';
import type { Transport } from './transport';

const path = '/sbom.SBOMService/UploadSBOM';
const timeoutMs = 60_000;

/** A call that was answered with another status than OK. */
export class GrpcError extends BenchFailure {
  constructor(
    /** Number of the status, e.g. `3` for INVALID_ARGUMENT. */
    readonly status: string,
    text: string,
  ) {
    super(`UploadSBOM: answered status ${status} ${text}`);
  }
}

/**
 * `UploadSBOM` of the public gRPC contract over `connections` HTTP/2 connections, used in turn. A status
 * other than OK is a `BenchFailure`.
 */
export function openGrpcTransport(options: {
  port: number;
  apiKey: string;
  connections: number;
  signal: AbortSignal;
}): Transport {
  const sessions = Array.from({ length: options.connections }, () => openSession(options.port));
  let next = 0;
  return {
    prepareUpload: (upload: Upload) => {
      const message = encodeUpload(upload);
      return async () => {
        options.signal.throwIfAborted();
        const session = sessions[next++ % sessions.length] as ClientHttp2Session;
        return readSbomId(await call(session, { message, apiKey: options.apiKey }));
      };
    },
    close: () => {
      for (const session of sessions) session.destroy();
      return Promise.resolve();
    },
  };
}

function openSession(port: number): ClientHttp2Session {
  // In megabytes: with less the client refuses to send its own large messages.
  const session = connect(`http://127.0.0.1:${port}`, { maxSessionMemory: 256 });
  // The call that is under way fails with it, and tells.
  session.on('error', () => undefined);
  return session;
}

function call(
  session: ClientHttp2Session,
  { message, apiKey }: { message: Buffer; apiKey: string },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new BenchFailure(`UploadSBOM: ${reason}`));
    const stream = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: path,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `bearer ${apiKey}`,
    });
    const chunks: Buffer[] = [];
    let said: { code?: string; text?: string } = {};
    const check = (headers: Record<string, unknown>): void => {
      if (headers['grpc-status'] === undefined) return;
      said = { code: String(headers['grpc-status']), text: String(headers['grpc-message'] ?? '') };
    };
    stream.on('response', check);
    stream.on('trailers', check);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => fail(error.message));
    stream.setTimeout(timeoutMs, () => stream.destroy(new Error('no answer in 60 s')));
    stream.on('close', () => {
      if (said.code === '0') resolve(Buffer.concat(chunks));
      else if (said.code === undefined) fail('answered no status');
      else reject(new GrpcError(said.code, said.text ?? ''));
    });
    stream.end(message);
  });
}
