/**
 * All errors, with HTTP status, gRPC status and retry policy of each code. Nothing else sets a
 * status. Source: docs/rules.md H1, H5.
 *
 * `retry`: `later` redelivers a failed message with back-off, `never` makes it a dead letter at
 * once.
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
    detail: 'The SBOM violates the schema of its format.',
  },
  vex_document: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'This is a VEX document, not an SBOM: POST /api/v1/vex imports it.',
  },
  unsupported_vex_format: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The file is neither OpenVEX 0.2.0, nor CycloneDX 1.4 to 1.7, nor CSAF 2.0.',
  },
  invalid_vex: {
    http: 400,
    grpc: 'INVALID_ARGUMENT',
    retry: 'never',
    detail: 'The VEX document violates the rules of its format.',
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
  invalid_token: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: 'never',
    detail: 'The access token is not valid here: sign in again.',
  },
  session_ended: {
    http: 401,
    grpc: 'UNAUTHENTICATED',
    retry: 'never',
    detail: 'The session has ended: sign in again.',
  },
  cross_site_request: {
    http: 403,
    grpc: 'PERMISSION_DENIED',
    retry: 'never',
    detail:
      'A change with a session needs the header X-Bomtrail-Request and must come from the page itself.',
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
  document_expired: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'Retention dropped the document and the findings of this SBOM; its record remains.',
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
  no_decisions: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'No decision applies here, and an OpenVEX document needs a statement.',
  },
  vex_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'There is no VEX document with this id.',
  },
  acceptance_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The risk acceptance does not exist.',
  },
  decision_rule_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The standing rule does not exist.',
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
  import_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'The import does not exist.',
  },
  person_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'Nobody with this id was here: GET /api/v1/people lists who was.',
  },
  dead_letter_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail: 'There is no dead letter with this id: it was replayed, deleted, or is too old.',
  },
  dead_letter_not_replayable: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail: 'This release does not have the consumer of this message: delete the letter.',
  },
  advisory_not_found: {
    http: 404,
    grpc: 'NOT_FOUND',
    retry: 'never',
    detail:
      'No loaded advisory has this id, and no service is known to contain it; services may still be affected.',
  },
  method_not_allowed: {
    http: 405,
    grpc: 'UNIMPLEMENTED',
    retry: 'never',
    detail: 'This path does not support this method.',
  },
  request_timeout: {
    http: 408,
    grpc: 'DEADLINE_EXCEEDED',
    retry: 'later',
    detail: 'The request arrived too slowly: repeat it over a faster connection.',
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
  idempotency_key_reused: {
    http: 409,
    grpc: 'ALREADY_EXISTS',
    retry: 'never',
    detail:
      'Another call in this project had the same idempotency_key, and nothing new was decided: take a new key, or repeat that call unchanged.',
  },
  vex_outdated: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail:
      'A document with this id is stored in the same or a newer version: import one with a higher version, or delete the stored one.',
  },
  too_many_vex_statements: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail:
      'The VEX documents of a project may make 20,000 statements about products together: delete one that is not needed.',
  },
  acceptance_expired: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail: 'The decision has expired and is kept as a record: make a new one.',
  },
  acceptance_from_document: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail:
      'The decision comes from a VEX document: import a newer one, or make a decision of your own, which wins over it.',
  },
  too_many_decision_rules: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail: 'A project has at most 100 standing rules: delete one that is not needed.',
  },
  acceptance_changed_too_often: {
    http: 409,
    grpc: 'FAILED_PRECONDITION',
    retry: 'never',
    detail: 'The kind of this decision was changed 50 times: delete it and make a new one.',
  },
  too_many_api_keys: {
    http: 409,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'never',
    detail: 'A person has at most 20 keys of their own: revoke one that is not needed.',
  },
  too_many_alert_rules: {
    http: 409,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'never',
    detail: 'The project has the maximum number of alert rules: delete one first.',
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
    detail: 'The request line and headers are longer than 16 KiB in total.',
  },
  rate_limited: {
    http: 429,
    grpc: 'RESOURCE_EXHAUSTED',
    retry: 'later',
    detail: 'Too many requests: wait for the seconds in Retry-After.',
  },
  internal_error: { http: 500, grpc: 'INTERNAL', retry: 'later', detail: 'Internal Server Error' },
  service_unavailable: {
    http: 503,
    grpc: 'UNAVAILABLE',
    retry: 'later',
    detail: 'A dependency is unavailable: repeat the request after the seconds in Retry-After.',
  },
} as const;

export type ErrorCode = keyof typeof errorTable;

/**
 * An error that clients and consumers see by its code; any other thrown value is an
 * `internal_error`.
 */
export class AppError extends Error {
  /**
   * @param code a code of the table
   * @param detail one sentence that states what to do; default: the table's
   * @param retryAfterSeconds when a retry can succeed, if known
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

/** An error on the bus. */
export interface WireError {
  code: string;
  detail: string;
  retry_after_seconds?: number;
}

/** Serialises an error for the bus. An error other than `AppError` reveals nothing. */
export function toWire(error: unknown): WireError & { code: ErrorCode } {
  if (error instanceof AppError) {
    const { code, message: detail, retryAfterSeconds } = error;
    if (retryAfterSeconds === undefined) return { code, detail };
    return { code, detail, retry_after_seconds: retryAfterSeconds };
  }
  return { code: 'internal_error', detail: errorTable.internal_error.detail };
}

/** Reverses `toWire`; an unknown code becomes an `internal_error`. */
export function fromWire(wire: WireError): AppError {
  return wire.code in errorTable
    ? new AppError(wire.code as ErrorCode, wire.detail, wire.retry_after_seconds)
    : new AppError('internal_error');
}
