import { checkResponse, operationFinder, type Contract } from '@bomtrail/api-contract';
import type { BadRequest } from './bad-request';
import type { WireAnswer } from './wire';

/** An answer in the terms in which a case says what it expects. */
export interface Observed {
  status: number | null;
  code?: string;
  problems?: readonly string[];
}

interface ErrorBody {
  code?: string;
  detail?: string | { loc: (string | number)[]; type: string }[];
}

/** What a case expects. */
export function expected({ status, code, problems }: BadRequest): Observed {
  return { status, ...(code && { code }), ...(problems && { problems: [...problems].sort() }) };
}

/** What an answer says: `code`, or the problems of a 422 as `place type`. */
export function observed(answer: WireAnswer | null): Observed {
  if (answer === null) return { status: null };
  const { code, detail } = bodyOf(answer) ?? {};
  const problems = Array.isArray(detail)
    ? detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()
    : undefined;
  return {
    status: answer.status,
    ...(code !== undefined && answer.status >= 400 && { code }),
    ...(problems && { problems }),
  };
}

/**
 * How an answer breaks the contract: of its operation where the request names one, else of what
 * answers requests that no operation takes.
 */
export function breaches(
  contract: Contract,
  at: { method: string; path: string } | null,
  answer: WireAnswer,
): string[] {
  const find = operationFinder(contract.operations.values());
  const operationId = at ? (find(at.method, at.path)?.operationId ?? null) : null;
  const { status } = answer;
  const headers = { get: (name: string) => answer.headers.get(name.toLowerCase()) ?? null };
  return checkResponse(contract, { operationId, status, headers, body: bodyOf(answer) });
}

function bodyOf(answer: WireAnswer): ErrorBody | undefined {
  return answer.text === '' ? undefined : (JSON.parse(answer.text) as ErrorBody);
}

/** Has the answer one of the two shapes of errors? */
export function isError(answer: WireAnswer): boolean {
  const { code, detail } = bodyOf(answer) ?? {};
  if (answer.status === 422) return Array.isArray(detail) && detail.length > 0;
  return typeof detail === 'string' && typeof code === 'string';
}
