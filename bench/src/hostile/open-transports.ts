import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcError, openGrpcTransport } from '../transports/grpc-transport';
import { multipartUpload } from '../load/multipart';
import { createResponseReader, type HttpResponse } from '../load/read-response';
import type { BenchStack } from '../stack/bench-stack';
import { uploadPath as path, type Answer, type Transports } from './hostile-input';

/** A line on which nothing comes for so long is given up: longer than ten large uploads take in a row. */
const silenceMs = 300_000;

/** Both doors of a stack, on lines that are used once. */
export function openTransports(
  stack: Pick<BenchStack, 'baseUrl' | 'grpcPort' | 'apiKey'>,
  { projectId, signal }: { projectId: string; signal: AbortSignal },
): Transports {
  const port = Number(new URL(stack.baseUrl).port);
  const authorization = `Bearer ${stack.apiKey}`;
  const form: Transports['form'] = (file) =>
    multipartUpload({ project_id: projectId, service_name: 'hostile' }, file);
  const send: Transports['send'] = async (head, body, pauseMs) => {
    signal.throwIfAborted();
    const fields = { host: 'localhost', connection: 'close', authorization, ...head.headers };
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
    const first = Buffer.from(`POST ${head.path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    const begin = performance.now();
    const answer = await exchange(port, [first, ...body], pauseMs ?? 0);
    return { ...outcomeOfResponse(answer), milliseconds: performance.now() - begin };
  };
  return {
    projectId,
    grpcPort: stack.grpcPort,
    form,
    send,
    upload: (file) => {
      const { contentType, parts } = form(file);
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const headers = { 'content-type': contentType, 'content-length': String(length) };
      return send({ path, headers }, parts);
    },
    uploadOverGrpc: async (file) => {
      const { grpcPort, apiKey } = stack;
      const transport = openGrpcTransport({ port: grpcPort, apiKey, connections: 1, signal });
      const upload = transport.prepareUpload({ projectId, serviceName: 'hostile', document: file });
      const begin = performance.now();
      const took = (): number => performance.now() - begin;
      try {
        const id = await upload();
        return { status: 'grpc 0', code: null, id, milliseconds: took() };
      } catch (error) {
        if (!(error instanceof GrpcError)) throw error;
        return { status: `grpc ${error.status}`, code: null, id: null, milliseconds: took() };
      } finally {
        await transport.close();
      }
    },
  };
}

function outcomeOfResponse(answer: HttpResponse | null): Omit<Answer, 'milliseconds'> {
  if (answer === null) return { status: 'closed', code: null, id: null };
  let body: { code?: unknown; id?: unknown } = {};
  try {
    body = JSON.parse(answer.body.toString()) as typeof body;
  } catch {
    // An answer without JSON has no code, and is judged as one.
  }
  const { code, id } = body;
  return {
    status: String(answer.status),
    code: answer.status < 400 ? null : typeof code === 'string' ? code : null,
    id: typeof id === 'string' ? id : null,
  };
}

/** Writes to a fresh line and reads one answer; null when the line was closed without any. */
function exchange(
  port: number,
  pieces: readonly Buffer[],
  pauseMs: number,
): Promise<HttpResponse | null> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const read = createResponseReader();
    const untilIdle = (answer: HttpResponse | null): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(silenceMs, () => untilIdle(null));
    socket.on('data', (chunk) => {
      const answer = read(chunk);
      if (answer !== undefined) untilIdle(answer);
    });
    // Who refuses a body may close the line while it is still being sent: an answer before that counts.
    socket.on('error', () => undefined);
    socket.on('close', () => untilIdle(null));
    socket.on('connect', () => void write());
    async function write(): Promise<void> {
      for (const [index, bytes] of pieces.entries()) {
        if (index > 0 && pauseMs > 0) await sleep(pauseMs);
        if (!socket.writable) return;
        socket.write(bytes);
      }
    }
  });
}
