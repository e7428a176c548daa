import { credentials, Metadata, status, type ChannelCredentials } from '@grpc/grpc-js';
import { SBOMServiceClient, UploadSBOMRequest, UploadSBOMResponse } from '@bomtrail/grpc-contract';
import { bootstrapKey } from './start-gateway';

/** How a call ended, and what was sent beside it. */
export interface Answered {
  /** Name of the status, `OK` for a response. */
  status: string;
  details: string;
  response: UploadSBOMResponse | null;
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
  close(): void;
}

const maxMessage = { 'grpc.max_send_message_length': -1, 'grpc.max_receive_message_length': -1 };
const { path } = SBOMServiceClient.service.uploadSbom;

export function connectGrpc(
  port: number,
  channel: ChannelCredentials = credentials.createInsecure(),
  options: Record<string, string | number> = {},
): TestGrpcClient {
  const client = new SBOMServiceClient(`127.0.0.1:${port}`, channel, { ...maxMessage, ...options });
  return {
    close: () => client.close(),
    upload: (fields, given = {}) =>
      new Promise((resolve) => {
        const metadata = new Metadata();
        const { authorization = `bearer ${bootstrapKey}` } = given;
        if (authorization !== null) metadata.set('authorization', authorization);
        for (const [key, value] of Object.entries(given.metadata ?? {})) metadata.set(key, value);
        const bytes = given.bytes ?? encoded(fields);
        let initial: Record<string, unknown> = {};
        let response: UploadSBOMResponse | null = null;
        const call = client.makeUnaryRequest(
          path,
          (message: Uint8Array) => Buffer.from(message),
          (message: Buffer) => UploadSBOMResponse.decode(message),
          bytes,
          metadata,
          given.deadlineMs === undefined ? {} : { deadline: Date.now() + given.deadlineMs },
          (_error, result) => (response = result ?? null),
        );
        given.cancel?.addEventListener('abort', () => call.cancel());
        call.on('metadata', (received: Metadata) => (initial = received.getMap()));
        call.on('status', ({ code, details, metadata: trailing }) =>
          resolve({
            status: String(status[code]),
            details,
            response,
            initial,
            trailing: trailing.getMap(),
          }),
        );
      }),
  };
}

/** A message of the contract, by the generated writer. */
export function encoded(fields: Partial<UploadSBOMRequest>): Uint8Array {
  const empty = { project_id: '', project_slug: '', version: '', service_name: '', sbom_json: '' };
  return UploadSBOMRequest.encode({ ...empty, ...fields }).finish();
}
