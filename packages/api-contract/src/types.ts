/** A problem of a request, in the shape of pydantic v2 (docs/rules.md H2). */
export interface Problem {
  /** Begins with `path`, `query` or `body`; numbers are array indexes. */
  loc: (string | number)[];
  msg: string;
  type: string;
  /** The invalid value as sent; absent if large. */
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** A validated part of a request: its typed and normalised value, or all of its problems. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * Validates the parts of a request without changing its input. A value has declared fields only;
 * absent fields without a default stay absent.
 *
 * In values, UUIDs are lower case, times UTC with milliseconds and `Z`, and the `severity` filter
 * is an array of distinct severities in lower case.
 */
export interface OperationValidators {
  /** @param raw the path parameters, percent-decoded */
  path(raw: Record<string, string>): Checked<Record<string, unknown>>;
  /**
   * A repeated list parameter (`severity`) is joined. Any other repeated parameter is a problem,
   * and so is an undeclared parameter of an additive operation.
   *
   * @param raw the query parameters, decoded
   */
  query(raw: Record<string, string | string[] | undefined>): Checked<Record<string, unknown>>;
  /** Names of undeclared query parameters that the operation ignores, for the `Warning` header. */
  ignoredQuery(raw: Record<string, string | string[] | undefined>): string[];
  /**
   * @param raw the parsed JSON body, `undefined` if empty; the value is `undefined` for an
   * operation without a body
   */
  body(raw: unknown): Checked<unknown>;
  /**
   * Names of undeclared fields that the operation ignores, for the `Warning` header.
   *
   * @param raw the parsed JSON body, or the text fields of a form; anything else has no fields
   */
  ignoredFields(raw: unknown): string[];
  /**
   * A repeated field is a problem.
   *
   * @param raw the text fields of a multipart body, without file parts
   */
  form(raw: Record<string, string | string[] | undefined>): Checked<Record<string, unknown>>;
}

export interface ContractOperation {
  operationId: string;
  /** Upper case. */
  method: string;
  /** OpenAPI template, e.g. `/api/v1/projects/{project_id}`. */
  path: string;
  /** Changes nothing, and has no audit entry. */
  readOnly: boolean;
  /** Whether an API key is required. */
  secured: boolean;
  validators: OperationValidators;
  successStatus: number;
  /** `x-removal-date` (`YYYY-MM-DD`) of a deprecated operation, else null. */
  removalDate: string | null;
}

export interface Contract {
  /** The served document. */
  document: object;
  /** By operationId, in the order of the document. */
  operations: Map<string, ContractOperation>;
  /** See `checkResponse`. */
  responseProblems(response: ContractResponse): string[];
}

export interface ContractResponse {
  /** null outside of operations: one of `x-other-responses`. */
  operationId: string | null;
  status: number;
  /** The media type, if it is not `application/json`: it only has to be declared. */
  otherMediaType?: string | null;
  /** False skips the body, as for `HEAD`. */
  checkBody?: boolean;
  /** The parsed JSON body; `undefined`, `null` or `''` when there is none. */
  body: unknown;
  /** If given, required headers must be present and valid. */
  headers?: ResponseHeaders;
}

/** Like `Headers` of `fetch`: names are case-insensitive, null if absent. */
export interface ResponseHeaders {
  get(name: string): string | null;
}
