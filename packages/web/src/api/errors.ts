import { text } from '../text/en';

/** One problem of a 422: the path of the field, and what is wrong with it. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

interface ErrorFacts {
  status: number;
  code: string;
  fields?: readonly FieldProblem[];
  requestId?: string | null;
  /** Seconds that the server asks to wait. */
  retryAfter?: number | null;
}

/** A response other than success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(message: string, given: ErrorFacts) {
    super(message);
    this.status = given.status;
    this.code = given.code;
    this.fields = given.fields ?? [];
    this.requestId = given.requestId ?? null;
    this.retryAfter = given.retryAfter ?? null;
  }
}

/**
 * The failure of a request without an answer. One that only reads has done nothing; any other may have been received and
 * done, and only its answer lost.
 */
export function unanswered(method: string): ApiError {
  if (method === 'GET') return new ApiError(text.errors.offline, { status: 0, code: 'offline' });
  return new ApiError(text.errors.mayBeDone, { status: 0, code: 'no_answer' });
}

/** Whether a failure leaves open if what was asked for was done. */
export function mayBeDone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_answer';
}

/** Whether a response is of a proxy that got none of the server, which may have had the request: it has no code. */
export function isOfProxy(status: number, body: unknown): boolean {
  return (status === 502 || status === 504) && !(isRecord(body) && 'code' in body);
}

/** A body as JSON; null if it is none. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}

interface Rejection {
  status: number;
  /** As it was parsed, whatever it is. */
  body: unknown;
  /** Reads a header of the response. */
  header: (name: string) => string | null;
}

/** The error that a response stands for. */
export function errorOf({ status, body, header }: Rejection): ApiError {
  const requestId = header('X-Request-Id');
  const retryAfter = secondsOf(header('Retry-After'));
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (Array.isArray(detail)) {
    const fields = detail.flatMap(fieldProblem);
    const first = fields[0];
    const message = first ? `${first.field}: ${first.message}` : text.errors.invalid;
    return new ApiError(message, { status, code: 'invalid', fields, requestId });
  }
  const code = isRecord(body) && typeof body['code'] === 'string' ? body['code'] : 'unknown';
  const sentence = typeof detail === 'string' && status !== 500 ? detail : text.errors.unexpected;
  return new ApiError(withDelay(sentence, retryAfter), { status, code, requestId, retryAfter });
}

/** `Retry-After` in seconds; a proxy may send a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | null): number | null {
  const value = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = value.endsWith(' GMT') ? Date.parse(value) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

/** Texts of the server name the header with the delay, which nobody sees here. */
function withDelay(sentence: string, retryAfter: number | null): string {
  const named = 'the seconds in Retry-After';
  if (retryAfter === null) return sentence.replace(named, text.errors.aMoment);
  const delay = text.errors.seconds(retryAfter);
  if (sentence.includes(named)) return sentence.replace(named, delay);
  return `${sentence} ${text.errors.askedToWait(delay)}`;
}

/** `["body", "config", "webhook_url"]` is the field `config.webhook_url`. */
function fieldProblem(entry: unknown): FieldProblem[] {
  if (!isRecord(entry) || !Array.isArray(entry['loc']) || typeof entry['msg'] !== 'string')
    return [];
  const path = entry['loc'].slice(1).join('.');
  return [{ field: path || String(entry['loc'][0] ?? ''), message: entry['msg'] }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** The problem of one field, for display beside it. */
export function problemOf(error: unknown, field: string): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  return error.fields.find((one) => one.field === field)?.message;
}
