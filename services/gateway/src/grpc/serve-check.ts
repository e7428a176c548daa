import type { CheckSBOMResponse } from '@bomtrail/grpc-contract';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { recheckCaller } from '../access/check-caller';
import { requireRight } from '../access/require-right';
import { checkDocument, type CheckDocumentDeps } from '../check/check-document';
import type { AdmissionQueue } from '../uploads/admission-queue';
import { endOf } from './call-end';
import { checkResponse } from './check-response';
import { identifyCaller } from './identify-caller';
import { receiveCheck } from './receive-document';
import { withDocument, type WithDocumentDeps } from './with-document';

export interface ServeCheckDeps extends WithDocumentDeps, CheckDocumentDeps {
  /** Slots of checks, shared with REST. */
  checkAdmission: AdmissionQueue;
}

/** As `serveUpload`, without an audit entry: a check is a read. */
export async function serveCheck(
  deps: ServeCheckDeps,
  call: ServerReadableStream<Buffer, CheckSBOMResponse>,
): Promise<CheckSBOMResponse> {
  const ended = endOf(call);
  const { key, caller, address } = await identifyCaller(deps, call);
  requireRight(caller, 'upload');
  const receive = (signal: AbortSignal) => receiveCheck(deps, { call, ended: signal });
  const given = { caller, address, ended, receive };
  return withDocument({ admission: deps.checkAdmission }, given, async (received) => {
    const again = await recheckCaller(deps, { kind: 'bearer', text: key });
    const uploader = requireRight(again, 'upload');
    ended.throwIfAborted();
    const { target, file } = received;
    return checkResponse(await checkDocument(deps, uploader, { ...received, gone: ended }), {
      version: target.version,
      service_name: target.service_name,
      sha256: file.sha256,
    });
  });
}
