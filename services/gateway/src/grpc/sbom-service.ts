import {
  currentContext,
  inNewContext,
  type Logger,
  type Span,
  type SpanStart,
  type Tracer,
} from '@bomtrail/telemetry';
import {
  Metadata,
  status,
  type handleClientStreamingCall,
  type MethodDefinition,
  type sendUnaryData,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import {
  SBOMServiceService,
  type CheckSBOMResponse,
  type UploadSBOMResponse,
} from '@bomtrail/grpc-contract';
import { logException } from '../http/exception-log';
import type { Metrics } from '../metrics';
import { isOutcome } from '../shared/http-error';
import { CallEnded } from './call-end';
import { peerOf, single } from './call-metadata';
import { serveCheck, type ServeCheckDeps } from './serve-check';
import { serveUpload, type ServeUploadDeps } from './serve-upload';
import { statusOf } from './status-of';

export interface SbomServiceDeps extends ServeUploadDeps, ServeCheckDeps {
  log: Logger;
  tracer: Tracer | undefined;
  metrics: Pick<Metrics, 'calls'>;
}

/** Statuses that do not identify the error. */
const ourFaults: ReadonlySet<status> = new Set([
  ...[status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS],
]);

type Call<Response> = ServerReadableStream<Buffer, Response>;

/**
 * A unary method declared as a client stream, which is identical on the wire: the handler then runs
 * before the message is read, so that keys are checked and slots awaited without a document in
 * memory.
 */
function streamed<Response>(
  method: Pick<
    MethodDefinition<never, Response>,
    'path' | 'responseSerialize' | 'responseDeserialize'
  >,
): MethodDefinition<Buffer, Response> {
  return {
    ...method,
    requestStream: true,
    responseStream: false,
    requestSerialize: (message) => message,
    requestDeserialize: (message) => message,
  };
}

const definition = {
  uploadSbom: streamed<UploadSBOMResponse>(SBOMServiceService.uploadSbom),
  checkSbom: streamed<CheckSBOMResponse>(SBOMServiceService.checkSbom),
};

/** The service `sbom.SBOMService` for a server. */
export interface SbomService {
  definition: typeof definition;
  implementation: {
    uploadSbom: handleClientStreamingCall<Buffer, UploadSBOMResponse>;
    checkSbom: handleClientStreamingCall<Buffer, CheckSBOMResponse>;
  };
  /** Resolves when no call is running. */
  idle(): Promise<void>;
}

/** Serves `UploadSBOM` and `CheckSBOM`. */
export function createSbomService(deps: SbomServiceDeps): SbomService {
  const inHand = new Set<Promise<void>>();
  const handler =
    <Response>(
      method: string,
      perform: (call: Call<Response>) => Promise<Response>,
    ): handleClientStreamingCall<Buffer, Response> =>
    (call, respond) => {
      const serving = inContext(deps, call, (span) =>
        answer(deps, { call, span, method, perform }, respond),
      );
      inHand.add(serving);
      void serving.finally(() => inHand.delete(serving));
    };
  return {
    definition,
    implementation: {
      uploadSbom: handler('UploadSBOM', (call) => serveUpload(deps, call)),
      checkSbom: handler('CheckSBOM', (call) => serveCheck(deps, call)),
    },
    async idle() {
      while (inHand.size > 0) await Promise.all(inHand);
    },
  };
}

/** Adds a request id, as in REST, for the client, log lines and messages. */
function inContext(
  { tracer }: SbomServiceDeps,
  call: Call<unknown>,
  work: (span: Span | undefined) => Promise<void>,
): Promise<void> {
  const from = {
    requestId: single(call.metadata, 'x-request-id'),
    traceparent: single(call.metadata, 'traceparent'),
    start: (): SpanStart => ({
      name: call.getPath().slice(1),
      kind: 'server',
      attributes: { 'rpc.system': 'grpc', 'rpc.method': call.getPath().slice(1) },
    }),
  };
  return inNewContext(tracer, from, (span) => {
    const head = new Metadata();
    head.set('x-request-id', currentContext()?.requestId ?? '');
    call.sendMetadata(head);
    return work(span);
  });
}

interface Performed<Response> {
  call: Call<Response>;
  span: Span | undefined;
  method: string;
  perform(call: Call<Response>): Promise<Response>;
}

/** Never rejects. */
async function answer<Response>(
  deps: SbomServiceDeps,
  { call, span, method, perform }: Performed<Response>,
  respond: sendUnaryData<Response>,
): Promise<void> {
  const began = performance.now();
  let code = status.OK;
  try {
    respond(null, await perform(call));
  } catch (error) {
    code = status.CANCELLED;
    if (error instanceof CallEnded) return;
    if (!isOutcome(error)) logFailure(deps.log, error, call);
    const failure = statusOf(error);
    ({ code } = failure);
    respond(failure);
  } finally {
    span?.note({ 'rpc.response.status_code': status[code] });
    if (ourFaults.has(code)) span?.fail(status[code]);
    const labels = { method, status: status[code] };
    deps.metrics.calls.observe(labels, (performance.now() - began) / 1000);
  }
}

function logFailure(log: Logger, error: unknown, call: Call<unknown>): void {
  logException(log, error, {
    transport: 'grpc',
    method: 'POST',
    path: call.getPath(),
    query: '',
    client: peerOf(call),
  });
}
