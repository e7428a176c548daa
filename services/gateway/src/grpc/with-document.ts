import type { Caller } from '../api-keys/domain/caller';
import type { AdmissionQueue } from '../uploads/admission-queue';
import type { ReceivedFile } from '../uploads/received-file';
import { senderOf } from '../uploads/sender';
import { withReceiveLimit } from './call-end';
import type { IdentifyCallerDeps } from './identify-caller';
import type { ReceiveDocumentDeps } from './receive-document';

export interface WithDocumentDeps extends IdentifyCallerDeps, ReceiveDocumentDeps {
  /** Shared with REST. */
  admission: AdmissionQueue;
}

/** Waits for a slot, receives a document, and disposes of it after `work`. */
export async function withDocument<Received extends { file: ReceivedFile }, Response>(
  { admission }: Pick<WithDocumentDeps, 'admission'>,
  given: {
    caller: Caller;
    address: string | null;
    ended: AbortSignal;
    receive(ended: AbortSignal): Promise<Received>;
  },
  work: (received: Received) => Promise<Response>,
): Promise<Response> {
  const { caller, address, ended, receive } = given;
  const slot = await admission.enter(ended, senderOf(caller, address));
  try {
    const received = await withReceiveLimit(ended, receive);
    slot.received(received.file.size);
    try {
      return await work(received);
    } finally {
      await received.file.dispose();
    }
  } finally {
    slot.leave();
  }
}
