import {
  currentContext,
  inNewContext,
  type Logger,
  type Span,
  type SpanStart,
  type Tracer,
} from '@bomtrail/service-kit';
import { AppError } from '@bomtrail/messages';
import {
  Metadata,
  status,
  type handleClientStreamingCall,
  type MethodDefinition,
  type sendUnaryData,
  type ServerReadableStream,
} from '@grpc/grpc-js';
import { bearerKey } from '../domain/bearer-key';
import type { Caller } from '../domain/caller';
import { requireScope } from '../use-cases/require-scope';
import { logException } from '../http/exception-log';
import type { Metrics } from '../metrics';
import { isOutcome, outcomeOf } from '../httpError';
import type { Gate } from '../upload/gate';
import { senderOf } from '../upload/sender';
import type { AuditedCall, AuditTrail } from '../use-cases/audit-calls';
import { checkApiKey, recheckApiKey, type CheckApiKeyDeps } from '../use-cases/check-api-key';
import { uploadSbom, type UploadSbomDeps } from '../use-cases/upload-sbom';
import { CallEnded, endOf, withReceiveLimit } from './call-end';
import { SBOMServiceService, type UploadSBOMResponse } from './generated/sbom';
import { clientOf, peerOf, single } from './call-metadata';
import { receiveUpload, type ReceiveUploadDeps } from './receive-upload';
import { statusOf } from './status-of';

export interface UploadServiceDeps extends CheckApiKeyDeps, ReceiveUploadDeps, UploadSbomDeps {
  log: Logger;
  tracer: Tracer | undefined;
  metrics: Pick<Metrics, 'calls'>;
  trail: AuditTrail;
  /** The one that REST uploads wait at, too. */
  gate: Gate;
  /** Proxies in front that are believed. */
  proxyHops: number;
}

/** What REST answers an upload that was stored. */
const createdStatus = 201;

/** Statuses that say nothing of the call. */
const ourFaults: ReadonlySet<status> = new Set([
  ...[status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE, status.DATA_LOSS],
]);

type UploadCall = ServerReadableStream<Buffer, UploadSBOMResponse>;

/**
 * `UploadSBOM` as this server takes it. On the wire a call with one message and a stream of messages
 * are the same; declared as a stream, a call is shown before its message is read, so that a key is
 * checked and a turn is waited for without a document in memory.
 */
const uploadMethod: MethodDefinition<Buffer, UploadSBOMResponse> = {
  ...SBOMServiceService.uploadSbom,
  requestStream: true,
  requestSerialize: (message) => message,
  requestDeserialize: (message) => message,
};

/** The service `sbom.SBOMService`, to be added to a server. */
export interface UploadService {
  definition: { uploadSbom: typeof uploadMethod };
  implementation: { uploadSbom: handleClientStreamingCall<Buffer, UploadSBOMResponse> };
  /** Resolves when no upload is in hand. */
  idle(): Promise<void>;
}

/** Serves `UploadSBOM`. */
export function createUploadService(deps: UploadServiceDeps): UploadService {
  const inHand = new Set<Promise<void>>();
  return {
    definition: { uploadSbom: uploadMethod },
    implementation: {
      uploadSbom: (call, answer) => {
        const serving = inContext(deps, call, (span) => serve(deps, { call, span }, answer));
        inHand.add(serving);
        void serving.finally(() => inHand.delete(serving));
      },
    },
    async idle() {
      while (inHand.size > 0) await Promise.all(inHand);
    },
  };
}

/** As every REST request has one: an id that is told the client at once, on log lines and messages. */
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
  answer: sendUnaryData<UploadSBOMResponse>,
): Promise<void> {
  const began = performance.now();
  let code = status.OK;
  try {
    answer(null, await upload(deps, call));
  } catch (error) {
    code = status.CANCELLED;
    if (error instanceof CallEnded) return;
    if (!isOutcome(error)) logFailure(deps.log, error, call);
    const told = statusOf(error);
    ({ code } = told);
    answer(told);
  } finally {
    span?.note({ 'rpc.response.status_code': status[code] });
    if (ourFaults.has(code)) span?.fail(status[code]);
    const labels = { method: 'UploadSBOM', status: status[code] };
    deps.metrics.calls.observe(labels, (performance.now() - began) / 1000);
  }
}

/** Key → audit entry → scope → turn → message, fields → key again → use case, in the order of REST's pipeline. */
async function upload(deps: UploadServiceDeps, call: UploadCall): Promise<UploadSBOMResponse> {
  const ended = endOf(call);
  const key = bearerKey(single(call.metadata, 'authorization'));
  if (!key) throw new AppError('missing_api_key');
  const caller = await checkApiKey(deps, { key, address: clientOf(call, deps.proxyHops) });
  const audited = beginAudit(deps, call, caller);
  try {
    const answer = await perform(deps, call, { key, caller, audited, ended });
    audited.end({ kind: 'answered', status: createdStatus, code: null }, answer);
    return answer;
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
  const place = await deps.gate.enter(ended, sender);
  try {
    const received = await withReceiveLimit(ended, (signal) => receiveUpload(deps, call, signal));
    place.received();
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
    place.leave();
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
