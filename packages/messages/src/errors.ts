/**
 * The one table of errors: what a code means to a REST client, to a gRPC client and to a message
 * consumer. Nothing else sets a status. Source: docs/rules.md H1, H5.
 *
 * `retry` says what a consumer does with a message that failed so: `later` = redeliver with
 * back-off, `never` = dead letter at once.
 */
export const errorTable = {
  malformed_json: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The body is not valid JSON.',
  },
  malformed_body: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The request body cannot be read.',
  },
  malformed_multipart: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The multipart body is broken.',
  },
  unsupported_media_type: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The content type of the body is not accepted here.',
  },
  unsupported_sbom_format: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The file is neither CycloneDX JSON nor SPDX JSON.',
  },
  unsupported_sbom_version: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'This version of the SBOM format is not accepted.',
  },
  invalid_sbom: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The SBOM breaks the schema of its format.',
  },
  missing_api_key: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: 'never',
    detail: 'Send an API key: Authorization: Bearer <API_KEY>.',
  },
  invalid_api_key: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: 'never',
    detail: 'The API key is unknown, revoked or expired.',
  },
  insufficient_scope: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    retry: 'never',
    detail: 'The API key lacks the scope for this call.',
  },
  not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'There is nothing at this path.',
  },
  project_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The project does not exist.',
  },
  sbom_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The SBOM does not exist.',
  },
  baseline_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The service has no other SBOM with this version or id to compare with.',
  },
  service_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The service does not exist in this project.',
  },
  vulnerability_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The vulnerability does not exist in this project.',
  },
  acceptance_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The risk acceptance does not exist.',
  },
  alert_rule_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The alert rule does not exist.',
  },
  api_key_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The API key does not exist.',
  },
  advisory_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail:
      'No advisory that is loaded has this id, and no service is known to hold it; that does not say that none is affected.',
  },
  method_not_allowed: {
    http: 405,
    grpc: 'UNIMPLEMENTED',
    retry: 'never',
    detail: 'This method is not served at this path.',
  },
  request_timeout: {
    http: 408,
    grpc: 'DEADLINE_EXCEEDED',
    retry: 'later',
    detail: 'The request came too slowly: send it again over a faster line.',
  },
  project_name_taken: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    retry: 'never',
    detail: 'Another project already has this name.',
  },
  service_has_sboms: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail: 'The service still has SBOMs: delete them first, or pass cascade=true.',
  },
  acceptance_exists: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    retry: 'never',
    detail: 'This vulnerability is already accepted in this scope.',
  },
  too_many_alert_rules: {
    http: 409,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'never',
    detail: 'The project has as many alert rules as a project may have: delete one first.',
  },
  payload_too_large: {
    http: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'never',
    detail: 'The file is larger than this server accepts.',
  },
  too_many_components: {
    http: 413,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'never',
    detail: 'The SBOM has more components than this server accepts.',
  },
  headers_too_large: {
    http: 431,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The address and the headers of the request are longer than 16 KiB in all.',
  },
  rate_limited: {
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'later',
    detail: 'Too many requests: wait as long as Retry-After says.',
  },
  internal_error: { http: 500, grpc: 'INTERNAL', retry: 'later', detail: 'Internal Server Error' },
  service_unavailable: {
    http: 503,
    grpc: 'UNAVAILABLE',
    retry: 'later',
    detail: 'A part of the service is not reachable: repeat the request after Retry-After seconds.',
  },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** An outcome that a client or a consumer is told by its code; everything else that is thrown is an `internal_error`. */
export class AppError extends Error {
  /**
   * @param code what went wrong, one of the table
   * @param detail one sentence that a person can act on; the table's own when omitted
   * @param retryAfterSeconds when a repetition can succeed, where that is known
   */
  constructor(
    readonly code: ErrorCode,
    detail?: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(detail ?? errorTable[code].detail);
    this.name = 'AppError';
  }
}

/** An error as it crosses the bus. */
export interface WireError {
  code: string;
  detail: string;
  /** Not sent by releases before it was added. */
  retry_after_seconds?: number;
}

/** What crosses the bus in place of an answer. An error that is no `AppError` shows nothing of itself. */
export function toWire(error: unknown): WireError & { code: ErrorCode } {
  if (error instanceof AppError) {
    const { code, message: detail, retryAfterSeconds } = error;
    if (retryAfterSeconds === undefined) return { code, detail };
    return { code, detail, retry_after_seconds: retryAfterSeconds };
  }
  return { code: 'internal_error', detail: errorTable.internal_error.detail };
}

/** Reads what `toWire` wrote; a code that this release does not know is an `internal_error`. */
export function fromWire(wire: WireError): AppError {
  return wire.code in errorTable
    ? new AppError(wire.code as ErrorCode, wire.detail, wire.retry_after_seconds)
    : new AppError('internal_error');
}
