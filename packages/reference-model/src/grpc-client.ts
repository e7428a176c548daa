import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { credentials, loadPackageDefinition, Metadata, status } from '@grpc/grpc-js';
import type { Client, ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/** The response message. */
export interface GrpcUploadResult {
  id: string;
  format: string;
  dependency_count: number;
  sha256: string;
}

/** A gRPC error: status name, details, and the error code from the metadata. */
export interface GrpcError {
  status: string;
  details: string;
  code: string | undefined;
}

export type GrpcResponse<Result = GrpcUploadResult> = { ok: Result } | { refused: GrpcError };

/** Fields of the response to a check that tests compare with REST. */
export interface GrpcCheckResult {
  verdict: string;
  failing_total: number;
  total: number;
  counts: Record<string, number>;
  failing: { cve_id: string; package_name: string }[];
  /** A gzip'd JSON array. */
  vulnerabilities_json_gzip: Buffer;
}

export interface GrpcClient {
  /**
   * @param fields named as in `proto/sbom.proto`
   * @param more further metadata
   */
  upload(fields: Record<string, string>, more?: Record<string, string>): Promise<GrpcResponse>;
  check(fields: Record<string, unknown>): Promise<GrpcResponse<GrpcCheckResult>>;
  close(): void;
}

type Done<Result> = (error: ServiceError | null, result: Result) => void;
type Method<Result> = (fields: object, metadata: Metadata, done: Done<Result>) => void;
type SbomClient = Client & {
  UploadSBOM: Method<GrpcUploadResult>;
  CheckSBOM: Method<GrpcCheckResult>;
};

/**
 * A client generated from `proto/sbom.proto`.
 *
 * @param ports of one server on this machine, or of several that take turns
 */
export function connectGrpc(ports: number | readonly number[], apiKey: string): GrpcClient {
  const file = path.join(repositoryRoot(), 'proto', 'sbom.proto');
  const contract = loadPackageDefinition(
    loadSync(file, { keepCase: true, defaults: true }),
  ) as unknown as {
    sbom: { SBOMService: new (...of: unknown[]) => SbomClient };
  };
  const addresses = [ports].flat().map((port) => `127.0.0.1:${port}`);
  const client = new contract.sbom.SBOMService(
    `ipv4:${addresses.join(',')}`,
    credentials.createInsecure(),
    {
      'grpc.max_send_message_length': -1,
      'grpc.service_config': JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] }),
      // Reconnect soon after a restart of the server.
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
  );
  const metadata = new Metadata();
  metadata.set('authorization', `bearer ${apiKey}`);
  return {
    upload: (fields, more = {}) =>
      new Promise((resolve) => {
        const sent = metadata.clone();
        for (const [key, value] of Object.entries(more)) sent.set(key, value);
        client.UploadSBOM(fields, sent, answering(resolve));
      }),
    check: (fields) =>
      new Promise((resolve) => {
        client.CheckSBOM(fields, metadata, answering(resolve));
      }),
    close: () => client.close(),
  };
}

function answering<Result>(resolve: (response: GrpcResponse<Result>) => void): Done<Result> {
  return (error, ok) => resolve(error ? { refused: httpErrorOf(error) } : { ok });
}

function httpErrorOf(error: ServiceError): GrpcError {
  const [code] = error.metadata.get('bomtrail-code');
  return { status: String(status[error.code]), details: error.details, code: code?.toString() };
}
