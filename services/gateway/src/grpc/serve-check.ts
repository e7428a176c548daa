import type { CheckSBOMResponse } from '@bomtrail/grpc-contract';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { recheckCaller } from '../access/check-caller';
import { expectSameReach, requireRight } from '../access/require-right';
import type { Caller } from '../api-keys/domain/caller';
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
  /** The caller as of now. */
  const checkAgain = async (): Promise<Caller> =>
    requireRight(await recheckCaller(deps, { kind: 'bearer', text: key }), 'upload');
  const receive = (signal: AbortSignal) => receiveCheck(deps, { call, ended: signal });
  const given = { caller, address, ended, receive };
  return withDocument({ admission: deps.checkAdmission }, given, async (received) => {
    const uploader = await checkAgain();
    ended.throwIfAborted();
    const { target, file } = received;
    const checked = await checkDocument(deps, uploader, { ...received, gone: ended });
    expectSameReach(uploader, await checkAgain());
    const { version, service_name } = target;
    return checkResponse(checked, { version, service_name, sha256: file.sha256 });
  });
}
