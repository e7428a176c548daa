import type { Contract, Problem } from '@bomtrail/api-contract';
import type * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { ServerReadableStream } from '@grpc/grpc-js';
import type { CheckGate } from '../check/check-document';
import { ValidationError } from '../shared/http-error';
import { receiveFile } from '../uploads/receive-file';
import type { ReceivedFile, ReceiveFileOptions } from '../uploads/received-file';
import { uploadTarget } from '../uploads/upload-sbom';
import {
  checkMessage,
  decodeMessage,
  uploadMessage,
  type DecodedMessage,
  type MessageType,
} from './decode-message';
import { readMessage } from './read-message';

export interface ReceiveDocumentDeps extends ReceiveFileOptions {
  contract: Contract;
}

/** A call whose message has a document, and the signal that aborts when it ends. */
export interface DocumentCall {
  call: ServerReadableStream<Buffer, unknown>;
  ended: AbortSignal;
}

/** What was received; the caller must dispose of the file. */
export interface ReceivedUpload {
  target: messages.UploadTarget;
  file: ReceivedFile;
}

/** Chunk size that lets other requests proceed while a large document is hashed. */
const chunkSize = 256 * 1024;

/** Fields of a check that REST has in its form; the others are query parameters. */
const formFields: ReadonlySet<string> = new Set([
  ...['project_id', 'project_slug', 'version', 'service_name'],
]);

/**
 * Reads an upload's message, validates its fields and receives its document. Afterwards the message
 * is no longer in memory.
 *
 * @throws AppError `malformed_body`, `payload_too_large`; ValidationError with all problems of the
 * fields
 */
export async function receiveUpload(
  deps: ReceiveDocumentDeps,
  given: DocumentCall,
): Promise<ReceivedUpload> {
  const message = await receiveMessage(deps, given, uploadMessage);
  const { form } = checked(deps, 'uploadSbom', message);
  return { target: uploadTarget(form), file: await storeDocument(deps, given, message) };
}

/** As `receiveUpload`, for a check: with its gate. */
export async function receiveCheck(
  deps: ReceiveDocumentDeps,
  given: DocumentCall,
): Promise<ReceivedUpload & { gate: CheckGate }> {
  const message = await receiveMessage(deps, given, checkMessage);
  const { form, query } = checked(deps, 'checkSbom', message);
  const file = await storeDocument(deps, given, message);
  return { target: uploadTarget(form), gate: query as unknown as CheckGate, file };
}

async function receiveMessage(
  { maxBytes }: ReceiveDocumentDeps,
  { call, ended }: DocumentCall,
  type: MessageType,
): Promise<DecodedMessage> {
  const message = decodeMessage(type, await readMessage(call, ended));
  if (message.document.length > maxBytes) {
    throw new AppError(
      'payload_too_large',
      `sbom_json is larger than the ${maxBytes} bytes that this server accepts.`,
    );
  }
  return message;
}

/** Validates the fields by the contract of the REST operation. @throws ValidationError */
function checked(
  { contract }: ReceiveDocumentDeps,
  operationId: 'uploadSbom' | 'checkSbom',
  { fields, document }: DecodedMessage,
) {
  const operation = contract.operations.get(operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId}.`);
  const entries = Object.entries(fields) as [string, string][];
  const part = (isForm: boolean) =>
    Object.fromEntries(entries.filter(([name]) => formFields.has(name) === isForm));
  const query = operation.validators.query(part(false));
  const form = operation.validators.form(part(true));
  const problems: Problem[] = [
    ...(query.ok ? [] : query.problems),
    ...(form.ok ? [] : form.problems),
  ];
  if (document.length === 0) {
    problems.push({ loc: ['body', 'sbom_json'], msg: 'Field required', type: 'missing' });
  }
  if (!query.ok || !form.ok || problems.length > 0) throw new ValidationError(problems);
  return { query: query.value, form: form.value as Partial<messages.UploadTarget> };
}

function storeDocument(
  deps: ReceiveDocumentDeps,
  { ended }: DocumentCall,
  { document }: DecodedMessage,
): Promise<ReceivedFile> {
  return receiveFile(chunksOf(document, ended), deps);
}

async function* chunksOf(bytes: Uint8Array, ended: AbortSignal): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkSize) {
    ended.throwIfAborted();
    yield bytes.subarray(at, at + chunkSize);
  }
}
