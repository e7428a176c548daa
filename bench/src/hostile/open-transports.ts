import { request, type RequestOptions } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { GrpcError, openGrpcTransport } from '../transports/grpc-transport';
import { multipartUpload, type MultipartBody } from '../load/multipart';
import type { HttpResponse } from '../load/http-client';
import type { BenchStack } from '../stack/bench-stack';
import { checkPath, uploadPath as path, type Answer, type Transports } from './hostile-input';

/** A connection on which nothing comes for so long is given up: longer than ten large uploads take in a row. */
const silenceMs = 300_000;

/** Both transports of a stack, on connections that are used once. */
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
    const headers = { connection: 'close', authorization, ...head.headers };
    const begin = performance.now();
    const answer = await exchange({ port, path: head.path, headers }, body, pauseMs ?? 0);
    return { ...outcomeOfResponse(answer), milliseconds: performance.now() - begin };
  };
  const sendForm = (to: string, { contentType, parts }: MultipartBody): Promise<Answer> => {
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = { 'content-type': contentType, 'content-length': String(length) };
    return send({ path: to, headers }, parts);
  };
  return {
    projectId,
    grpcPort: stack.grpcPort,
    form,
    send,
    leave: async ({ path: to, headers }, body, afterMs) => {
      signal.throwIfAborted();
      const options = { port, path: to, headers: { authorization, ...headers } };
      const sent = request({ ...options, method: 'POST', host: '127.0.0.1', agent: false });
      sent.on('error', () => undefined);
      for (const bytes of body) sent.write(bytes);
      await sleep(afterMs);
      sent.destroy();
    },
    upload: (file) => sendForm(path, form(file)),
    check: async (file) => ({ ...(await sendForm(checkPath, form(file))), id: null }),
    importVex: async (file) => ({
      ...(await sendForm('/api/v1/vex', multipartUpload({ project_id: projectId }, file))),
      id: null,
    }),
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

/** Sends the pieces over a fresh connection; null when it was closed without an answer. */
function exchange(
  options: RequestOptions,
  pieces: readonly Buffer[],
  pauseMs: number,
): Promise<HttpResponse | null> {
  return new Promise((resolve) => {
    const sent = request({ ...options, method: 'POST', host: '127.0.0.1', agent: false });
    sent.setNoDelay(true);
    sent.setTimeout(silenceMs, () => sent.destroy());
    let isAnswered = false;
    sent.on('response', (answer) => {
      isAnswered = true;
      const status = answer.statusCode ?? 0;
      buffer(answer).then(
        (body) => resolve({ status, body }),
        () => resolve(null),
      );
      answer.on('end', () => sent.destroy());
    });
    // A server that rejects a body may close the connection while it is being sent: an answer before that counts.
    sent.on('error', () => undefined);
    sent.on('close', () => {
      if (!isAnswered) resolve(null);
    });
    void write();
    async function write(): Promise<void> {
      for (const [index, bytes] of pieces.entries()) {
        if (index > 0 && pauseMs > 0) await sleep(pauseMs);
        if (sent.destroyed) return;
        sent.write(bytes);
      }
      sent.end();
    }
  });
}
