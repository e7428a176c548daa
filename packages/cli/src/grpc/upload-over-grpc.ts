import { isUtf8 } from 'node:buffer';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, withDelay } from '@bomtrail/api-client';
import { credentials, Metadata, status, type ServiceError } from '@grpc/grpc-js';
import { serviceError, usageError, type CliError } from '../exit-codes';
import type { SbomFile } from '../gate/read-document';
import type { ProjectTarget } from '../gate/project-target';
import { backoffMs, retryAfterMs } from '../http/backoff';
import { cleanText } from '../output/clean-text';
import type { Settings } from '../settings/read-settings';
import { SBOMServiceClient, type UploadSBOMResponse } from '@bomtrail/grpc-contract';

/** The server receives a message for at most two minutes; before, the call may wait for its turn. */
const callMs = 300_000;

/** Statuses to retry; uploads are idempotent. */
const transientStatuses = new Set<number>([status.UNAVAILABLE, status.DEADLINE_EXCEEDED]);

export interface GrpcUpload {
  target: ProjectTarget;
  version: string;
  service_name: string;
  file: SbomFile;
}

/**
 * Uploads over gRPC, with the same retries as over REST.
 *
 * @throws ApiError if the project does not exist, as over REST; CliError for every other error
 */
export async function uploadOverGrpc(
  settings: Pick<Settings, 'grpc' | 'apiKey' | 'retryForMs'>,
  upload: GrpcUpload,
  onRetry: (line: string) => void,
): Promise<UploadSBOMResponse> {
  if (!isUtf8(upload.file.bytes)) throw usageError(`${upload.file.name} is not UTF-8 text.`);
  const { address, tls } = settings.grpc;
  const client = new SBOMServiceClient(
    address,
    tls ? credentials.createSsl() : credentials.createInsecure(),
    { 'grpc.max_send_message_length': -1, 'grpc.max_reconnect_backoff_ms': 1_000 },
  );
  try {
    return await repeated(() => call(client, settings.apiKey, upload), { settings, onRetry });
  } finally {
    client.close();
  }
}

async function repeated<Result>(
  attempt: () => Promise<Result>,
  {
    settings,
    onRetry,
  }: { settings: Pick<Settings, 'grpc' | 'retryForMs'>; onRetry: (line: string) => void },
): Promise<Result> {
  let giveUpAt: number | undefined;
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const callError = error as ServiceError;
      const failedAt = Date.now();
      giveUpAt ??= failedAt + settings.retryForMs;
      const serverDelayMs = retryAfterMs(retryAfterOf(callError), failedAt);
      const isInTime = failedAt + backoffMs(count, serverDelayMs, 0) <= giveUpAt;
      if (!isRetryable(callError) || !isInTime) throw explained(callError, settings);
      const waitMs = backoffMs(count, serverDelayMs, Math.random());
      onRetry(
        `${settings.grpc.address}: ${textOf(callError)}; attempt ${count + 1} in ${(waitMs / 1000).toFixed(1)} s.`,
      );
      await delay(waitMs);
    }
  }
}

function call(
  client: SBOMServiceClient,
  apiKey: string,
  { target, version, service_name, file }: GrpcUpload,
): Promise<UploadSBOMResponse> {
  const metadata = new Metadata();
  metadata.set('authorization', `bearer ${apiKey}`);
  const fields = { project_id: '', project_slug: '', ...target, version, service_name };
  const request = { ...fields, sbom_json: file.bytes.toString('utf8') };
  const deadline = Date.now() + callMs;
  return new Promise((resolve, reject) => {
    client.uploadSbom(request, metadata, { deadline }, (error, answer) =>
      error ? reject(error) : resolve(answer),
    );
  });
}

const codeOf = ({ metadata }: ServiceError): string | undefined =>
  metadata?.get('bomtrail-code')[0]?.toString();

const retryAfterOf = ({ metadata }: ServiceError): string | null =>
  metadata?.get('retry-after')[0]?.toString() ?? null;

const textOf = (callError: ServiceError): string =>
  cleanText(`${status[callError.code]}: ${withDelay(callError.details, retryAfterOf(callError))}`);

function isRetryable(callError: ServiceError): boolean {
  return transientStatuses.has(callError.code) || codeOf(callError) === 'rate_limited';
}

function explained(callError: ServiceError, { grpc }: Pick<Settings, 'grpc'>): CliError | Error {
  const code = codeOf(callError);
  if (code === 'project_not_found') return new ApiError(404, code, callError.details);
  const text = `${textOf(callError)}${code ? ` (${code})` : ''}`;
  const byCaller = new Set<number>([
    status.UNAUTHENTICATED,
    status.PERMISSION_DENIED,
    status.INVALID_ARGUMENT,
    status.NOT_FOUND,
    status.RESOURCE_EXHAUSTED,
  ]);
  return byCaller.has(callError.code) && code !== 'rate_limited'
    ? usageError(`Rejected: ${text}`)
    : serviceError(`${grpc.address} cannot accept the upload: ${text}`);
}
