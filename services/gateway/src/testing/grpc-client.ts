import { credentials, Metadata, status, type ChannelCredentials } from '@grpc/grpc-js';
import {
  CheckSBOMRequest,
  CheckSBOMResponse,
  SBOMServiceClient,
  UploadSBOMRequest,
  UploadSBOMResponse,
} from '@bomtrail/grpc-contract';
import { bootstrapKey } from './start-gateway';

/** How a call ended, and what was sent beside it. */
export interface Answered<Response = UploadSBOMResponse> {
  /** Name of the status, `OK` for a response. */
  status: string;
  details: string;
  response: Response | null;
  initial: Record<string, unknown>;
  trailing: Record<string, unknown>;
}

export interface CallOptions {
  /** Instead of the bootstrap key; null: none. */
  authorization?: string | null;
  metadata?: Record<string, string>;
  deadlineMs?: number;
  cancel?: AbortSignal;
  /** The message as it goes over the line, instead of the fields. */
  bytes?: Uint8Array;
}

/** A client of one gateway. */
export interface TestGrpcClient {
  upload(fields: Partial<UploadSBOMRequest>, options?: CallOptions): Promise<Answered>;
  check(
    fields: Partial<CheckSBOMRequest>,
    options?: CallOptions,
  ): Promise<Answered<CheckSBOMResponse>>;
  close(): void;
}

const maxMessage = { 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 };
const { uploadSbom, checkSbom } = SBOMServiceClient.service;

export function connectGrpc(
  port: number,
  channel: ChannelCredentials = credentials.createInsecure(),
  options: Record<string, string | number> = {},
): TestGrpcClient {
  const client = new SBOMServiceClient(`127.0.0.1:${port}`, channel, { ...maxMessage, ...options });
  return {
    close: () => client.close(),
    upload: (fields, given = {}) => {
      const { path } = uploadSbom;
      const decode = (bytes: Buffer) => UploadSBOMResponse.decode(bytes);
      return call(client, { path, decode, bytes: given.bytes ?? encoded(fields) }, given);
    },
    check: (fields, given = {}) => {
      const { path } = checkSbom;
      const decode = (bytes: Buffer) => CheckSBOMResponse.decode(bytes);
      return call(client, { path, decode, bytes: given.bytes ?? encodedCheck(fields) }, given);
    },
  };
}

function call<Response>(
  client: SBOMServiceClient,
  request: { path: string; bytes: Uint8Array; decode(bytes: Buffer): Response },
  given: CallOptions,
): Promise<Answered<Response>> {
  return new Promise((resolve) => {
    const metadata = new Metadata();
    const { authorization = `bearer ${bootstrapKey}` } = given;
    if (authorization !== null) metadata.set('authorization', authorization);
    for (const [key, value] of Object.entries(given.metadata ?? {})) metadata.set(key, value);
    let initial: Record<string, unknown> = {};
    let response: Response | null = null;
    const running = client.makeUnaryRequest(
      request.path,
      (message: Uint8Array) => Buffer.from(message),
      request.decode,
      request.bytes,
      metadata,
      given.deadlineMs === undefined ? {} : { deadline: Date.now() + given.deadlineMs },
      (_error, result) => (response = result ?? null),
    );
    given.cancel?.addEventListener('abort', () => running.cancel());
    running.on('metadata', (received: Metadata) => (initial = received.getMap()));
    running.on('status', ({ code, details, metadata: trailing }) =>
      resolve({
        status: String(status[code]),
        details,
        response,
        initial,
        trailing: trailing.getMap(),
      }),
    );
  });
}

/** A message of the contract, by the generated writer. */
export function encoded(fields: Partial<UploadSBOMRequest>): Uint8Array {
  const empty = { project_id: '', project_slug: '', version: '', service_name: '', sbom_json: '' };
  return UploadSBOMRequest.encode({ ...empty, ...fields }).finish();
}

/** The same for a check. */
export function encodedCheck(fields: Partial<CheckSBOMRequest>): Uint8Array {
  return CheckSBOMRequest.encode({
    ...CheckSBOMRequest.decode(new Uint8Array()),
    ...fields,
  }).finish();
}
