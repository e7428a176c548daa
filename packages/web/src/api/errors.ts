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
}

/** A response other than success, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldProblem[];
  readonly requestId: string | null;

  constructor(message: string, given: ErrorFacts) {
    super(message);
    this.status = given.status;
    this.code = given.code;
    this.fields = given.fields ?? [];
    this.requestId = given.requestId ?? null;
  }
}

/** The error that a response stands for; `body` as it was parsed, whatever it is. */
export function errorOf(status: number, body: unknown, requestId: string | null): ApiError {
  const detail = isRecord(body) ? body['detail'] : undefined;
  if (Array.isArray(detail)) {
    const fields = detail.flatMap(fieldProblem);
    const first = fields[0];
    const message = first ? `${first.field}: ${first.message}` : text.errors.invalid;
    return new ApiError(message, { status, code: 'invalid', fields, requestId });
  }
  const code = isRecord(body) && typeof body['code'] === 'string' ? body['code'] : 'unknown';
  const sentence = typeof detail === 'string' && status !== 500 ? detail : text.errors.unexpected;
  return new ApiError(sentence, { status, code, requestId });
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
