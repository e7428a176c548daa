import {
  currentContext,
  inNewContext,
  type Logger,
  type Span,
  type SpanStart,
  type Tracer,
} from '@bomtrail/telemetry';
import { AppError } from '@bomtrail/messages';
import {
  Metadata,
  status,
  type handleClientStreamingCall,
  type MethodDefinition,
  type sendUnaryData,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import { bearerKey } from '../api-keys/domain/bearer-key';
import type { Caller } from '../api-keys/domain/caller';
import { requireScope } from '../api-keys/require-scope';
import { logException } from '../http/exception-log';
import type { Metrics } from '../metrics';
import { isOutcome, outcomeOf } from '../shared/http-error';
import type { AdmissionQueue } from '../uploads/admission-queue';
import { senderOf } from '../uploads/sender';
import type { AuditedCall, AuditTrail } from '../audit/audit-calls';
import { checkApiKey, recheckApiKey, type CheckApiKeyDeps } from '../api-keys/check-api-key';
import { uploadSbom, type UploadSbomDeps } from '../uploads/upload-sbom';
import { CallEnded, endOf, withReceiveLimit } from './call-end';
import { SBOMServiceService, type UploadSBOMResponse } from '@bomtrail/grpc-contract';
import { clientOf, peerOf, single } from './call-metadata';
import { receiveUpload, type ReceiveUploadDeps } from './receive-upload';
import { statusOf } from './status-of';

export interface UploadServiceDeps extends CheckApiKeyDeps, ReceiveUploadDeps, UploadSbomDeps {
  log: Logger;
  tracer: Tracer | undefined;
  metrics: Pick<Metrics, 'calls'>;
  trail: AuditTrail;
  /** Shared with REST uploads. */
  admission: AdmissionQueue;
  /** Number of trusted proxies in front. */
  proxyHops: number;
}

/** REST status of a stored upload. */
const createdStatus = 201;

/** Statuses that do not identify the error. */
const ourFaults: ReadonlySet<status> = new Set([
  ...[status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS],
]);

type UploadCall = ServerReadableStream<Buffer, UploadSBOMResponse>;

/**
 * `UploadSBOM` declared as a client stream, which is identical on the wire: the handler then runs
 * before the message is read, so that keys are checked and slots awaited without a document in
 * memory.
 */
const uploadMethod: MethodDefinition<Buffer, UploadSBOMResponse> = {
  ...SBOMServiceService.uploadSbom,
  requestStream: true,
  requestSerialize: (message) => message,
  requestDeserialize: (message) => message,
};

/** The service `sbom.SBOMService` for a server. */
export interface UploadService {
  definition: { uploadSbom: typeof uploadMethod };
  implementation: { uploadSbom: handleClientStreamingCall<Buffer, UploadSBOMResponse> };
  /** Resolves when no upload is running. */
  idle(): Promise<void>;
}

/** Serves `UploadSBOM`. */
export function createUploadService(deps: UploadServiceDeps): UploadService {
  const inHand = new Set<Promise<void>>();
  return {
    definition: { uploadSbom: uploadMethod },
    implementation: {
      uploadSbom: (call, respond) => {
        const serving = inContext(deps, call, (span) => serve(deps, { call, span }, respond));
        inHand.add(serving);
        void serving.finally(() => inHand.delete(serving));
      },
    },
    async idle() {
      while (inHand.size > 0) await Promise.all(inHand);
    },
  };
}

/** Adds a request id, as in REST, for the client, log lines and messages. */
function inContext(
  { tracer }: UploadServiceDeps,
  call: UploadCall,
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

/** Never rejects. */
async function serve(
  deps: UploadServiceDeps,
  { call, span }: { call: UploadCall; span: Span | undefined },
  respond: sendUnaryData<UploadSBOMResponse>,
): Promise<void> {
  const began = performance.now();
  let code = status.OK;
  try {
    respond(null, await upload(deps, call));
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
    const labels = { method: 'UploadSBOM', status: status[code] };
    deps.metrics.calls.observe(labels, (performance.now() - began) / 1000);
  }
}

/**
 * Order as in REST's pipeline: key, audit entry, scope, slot, message, fields, key again, use case.
 */
async function upload(deps: UploadServiceDeps, call: UploadCall): Promise<UploadSBOMResponse> {
  const ended = endOf(call);
  const key = bearerKey(single(call.metadata, 'authorization'));
  if (!key) throw new AppError('missing_api_key');
  const caller = await checkApiKey(deps, { key, address: clientOf(call, deps.proxyHops) });
  const audited = beginAudit(deps, call, caller);
  try {
    const response = await perform(deps, call, { key, caller, audited, ended });
    audited.end({ kind: 'responded', status: createdStatus, code: null }, response);
    return response;
  } catch (error) {
    audited.end(error instanceof CallEnded ? { kind: 'aborted' } : outcomeOf(error));
    throw error;
  }
}

async function perform(
  deps: UploadServiceDeps,
  call: UploadCall,
  given: { key: string; caller: Caller; audited: AuditedCall; ended: AbortSignal },
): Promise<UploadSBOMResponse> {
  const { key, caller, audited, ended } = given;
  requireScope(caller, ['upload']);
  const sender = senderOf(caller, clientOf(call, deps.proxyHops));
  const slot = await deps.admission.enter(ended, sender);
  try {
    const received = await withReceiveLimit(ended, (signal) => receiveUpload(deps, call, signal));
    slot.received(received.file.size);
    try {
      await recheckApiKey(deps, key);
      audited.about(received.target);
      await audited.stored();
      ended.throwIfAborted();
      const { id, format, dependency_count, sha256 } = await uploadSbom(deps, caller, received);
      return { id, format, dependency_count, sha256 };
    } finally {
      await received.file.dispose();
    }
  } finally {
    slot.leave();
  }
}

function beginAudit(deps: UploadServiceDeps, call: UploadCall, caller: Caller): AuditedCall {
  return deps.trail.begin({
    caller,
    protocol: 'grpc',
    operation: 'uploadSbom',
    method: 'POST',
    path: call.getPath(),
    client: clientOf(call, deps.proxyHops),
  });
}

function logFailure(log: Logger, error: unknown, call: UploadCall): void {
  logException(log, error, {
    transport: 'grpc',
    method: 'POST',
    path: call.getPath(),
    query: '',
    client: peerOf(call),
  });
}
