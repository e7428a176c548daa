import type { Contract, Problem } from '@bomtrail/api-contract';
import type * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';
import { ValidationError } from '../shared/http-error';
import { receiveFile } from '../uploads/receive-file';
import type { ReceivedFile, ReceiveFileOptions } from '../uploads/received-file';
import { uploadTarget } from '../uploads/upload-sbom';
import { decodeUpload, type UploadMessage } from './decode-upload';
import { readMessage } from './read-message';

export interface ReceiveUploadDeps extends ReceiveFileOptions {
  contract: Contract;
}

/** Chunk size that lets other requests proceed while a large document is hashed. */
const chunkSize = 256 * 1024;

/**
 * Reads an upload's message, validates its fields and receives its document. Afterwards the message
 * is no longer in memory; the caller must dispose of the file.
 *
 * @throws AppError `malformed_body`, `payload_too_large`; ValidationError with all problems of the
 * fields
 */
export async function receiveUpload(
  deps: ReceiveUploadDeps,
  call: ServerReadableStream<Buffer, unknown>,
  ended: AbortSignal,
): Promise<{ target: messages.UploadTarget; file: ReceivedFile }> {
  const upload = decodeUpload(await readMessage(call, ended));
  if (upload.document.length > deps.maxBytes) {
    throw new AppError(
      'payload_too_large',
      `sbom_json is larger than the ${deps.maxBytes} bytes that this server accepts.`,
    );
  }
  const target = checked(deps, upload);
  const file = await receiveFile(chunksOf(upload.document, ended), deps);
  return { target, file };
}

/** Validates the fields by the contract of REST uploads. @throws ValidationError */
function checked(
  { contract }: ReceiveUploadDeps,
  { fields, document }: UploadMessage,
): messages.UploadTarget {
  const operation = contract.operations.get('uploadSbom');
  if (!operation) throw new Error('The contract has no operation uploadSbom.');
  const given = operation.validators.form({ ...fields });
  const problems: Problem[] = given.ok ? [] : [...given.problems];
  if (document.length === 0) {
    problems.push({ loc: ['body', 'sbom_json'], msg: 'Field required', type: 'missing' });
  }
  if (!given.ok || problems.length > 0) throw new ValidationError(problems);
  return uploadTarget(given.value);
}

async function* chunksOf(bytes: Uint8Array, ended: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) {
    ended.throwIfAborted();
    yield bytes.subarray(at, at + chunkSize);
  }
}
