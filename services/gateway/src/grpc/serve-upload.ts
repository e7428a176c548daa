import type { UploadSBOMResponse } from '@bomtrail/grpc-contract';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { recheckCaller } from '../access/check-caller';
import { requireRight } from '../access/require-right';
import type { Caller } from '../api-keys/domain/caller';
import type { AuditedCall, AuditTrail } from '../audit/audit-calls';
import { outcomeOf } from '../shared/http-error';
import { uploadSbom, type UploadSbomDeps } from '../uploads/upload-sbom';
import { CallEnded, endOf } from './call-end';
import { identifyCaller } from './identify-caller';
import { receiveUpload } from './receive-document';
import { withDocument, type WithDocumentDeps } from './with-document';

export interface ServeUploadDeps extends WithDocumentDeps, UploadSbomDeps {
  trail: AuditTrail;
}

/** REST status of a stored upload. */
const createdStatus = 201;

type UploadCall = ServerReadableStream<Buffer, UploadSBOMResponse>;

/**
 * Order as in REST's pipeline: caller, audit entry, right, slot, message, fields, caller again, use case.
 */
export async function serveUpload(
  deps: ServeUploadDeps,
  call: UploadCall,
): Promise<UploadSBOMResponse> {
  const ended = endOf(call);
  const { key, caller, address } = await identifyCaller(deps, call);
  const audited = deps.trail.begin({
    caller,
    protocol: 'grpc',
    operation: 'uploadSbom',
    method: 'POST',
    path: call.getPath(),
    client: address,
  });
  try {
    const given = { call, key, caller, address, ended };
    const response = await perform(deps, given, audited);
    audited.end({ kind: 'responded', status: createdStatus, code: null }, response);
    return response;
  } catch (error) {
    audited.end(error instanceof CallEnded ? { kind: 'aborted' } : outcomeOf(error));
    throw error;
  }
}

async function perform(
  deps: ServeUploadDeps,
  given: {
    call: UploadCall;
    key: string;
    caller: Caller;
    address: string | null;
    ended: AbortSignal;
  },
  audited: AuditedCall,
): Promise<UploadSBOMResponse> {
  const { key, caller, ended } = given;
  requireRight(caller, 'upload');
  const receive = (signal: AbortSignal) => receiveUpload(deps, { call: given.call, ended: signal });
  return withDocument(deps, { ...given, receive }, async (received) => {
    const again = await recheckCaller(deps, { kind: 'bearer', text: key });
    const uploader = requireRight(again, 'upload');
    audited.about(received.target);
    await audited.stored();
    ended.throwIfAborted();
    const { id, format, dependency_count, sha256 } = await uploadSbom(deps, uploader, received);
    return { id, format, dependency_count, sha256 };
  });
}
