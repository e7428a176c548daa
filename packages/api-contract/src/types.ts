/** One fault of a request, in the shape that pydantic v2 gives it (docs/rules.md H2). */
export interface Problem {
  /** Begins with `path`, `query` or `body`; numbers are places in an array. */
  loc: (string | number)[];
  msg: string;
  type: string;
  /** The value at fault, as the client sent it; left out where it is large. */
  input?: unknown;
  ctx?: Record<string, unknown>;
}

/** A checked part of a request: its value, typed and normalised, or all of its problems. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * Checks the parts of one operation's requests. None of them changes what it is given. A value
 * holds declared fields only; those not given and without a default are absent.
 *
 * In values, UUIDs are lower case, times UTC with milliseconds and `Z`, and the `severity` filter is
 * an array of distinct severities in lower case.
 */
export interface OperationValidators {
  /** @param raw the path parameters, percent-decoded */
  path(raw: Record<string, string>): Checked<Record<string, unknown>>;
  /**
   * Of a list (`severity`) that is given several times all values count; another parameter that is given twice is a
   * problem, and so is one that an additive operation does not declare.
   *
   * @param raw the query parameters, decoded
   */
  query(raw: Record<string, string | string[] | undefined>): Checked<Record<string, unknown>>;
  /** Names of the query parameters that the operation does not declare and ignores, for a `Warning`. */
  ignoredQuery(raw: Record<string, string | string[] | undefined>): string[];
  /** @param raw the parsed JSON body, `undefined` when it is empty; the value is `undefined` for an operation without a body */
  body(raw: unknown): Checked<unknown>;
  /** @param raw the text fields of a multipart body; file parts are not looked at */
  form(raw: Record<string, string | undefined>): Checked<Record<string, unknown>>;
}

export interface ContractOperation {
  operationId: string;
  /** Upper case. */
  method: string;
  /** OpenAPI template, e.g. `/api/v1/projects/{project_id}`. */
  path: string;
  /** Does it need an API key? */
  secured: boolean;
  validators: OperationValidators;
  successStatus: number;
  /** `x-removal-date` of a deprecated operation, `YYYY-MM-DD`; null for one that is not deprecated. */
  removalDate: string | null;
}

export interface Contract {
  /** The document as it is served. */
  document: object;
  /** By operationId, in the order of the document. */
  operations: Map<string, ContractOperation>;
  /** What is wrong with a response; see `checkResponse`. */
  responseProblems(response: ContractResponse): string[];
}

export interface ContractResponse {
  /** null for a request that no operation takes: its answer is one of `x-other-responses`. */
  operationId: string | null;
  status: number;
  /** False: the body is not looked at, as for a `HEAD`. */
  checkBody?: boolean;
  /** The parsed JSON body; `undefined`, `null` or `''` when there is none. */
  body: unknown;
  /** When given, those that the contract requires must be there and be as it says. */
  headers?: ResponseHeaders;
}

/** As `Headers` of `fetch`: null for a header that is not there; names in any case. */
export interface ResponseHeaders {
  get(name: string): string | null;
}
