import type { Harness } from './harness';

/** What a case sends. Method and path template are those of its operation. */
export interface CaseRequest {
  /** Parts of the path that are not the world's own. */
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** A form, or what is sent as JSON; a `Buffer` is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** null: none; the stack's own key when omitted. */
  key?: string | null;
}

/** One request that shows one status of one operation. */
export interface StatusCase {
  operationId: string;
  status: number;
  /** Completes the title: `getProject handles 404: …`. */
  when: string;
  /** The `code` of the error, where one is to be seen. */
  code?: string;
  request?: (harness: Harness) => CaseRequest | Promise<CaseRequest>;
}

/** The name of the test that runs the case. */
export function titleOf({ operationId, status, when }: StatusCase): string {
  return `${operationId} answers ${status}: ${when}`;
}
