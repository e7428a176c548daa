import type { Checked, ContractOperation } from '@bomtrail/api-contract';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { Scope } from '../domain/api-key';
import type { Caller } from '../domain/caller';

/** The validated parts of a request; which fields they have, the contract says. */
export interface CallInput {
  path: object;
  query: object;
  body: unknown;
}

/** What a handler is given once the key, the scope and every field are in order. */
export type Call<Input extends Partial<CallInput> = CallInput> = Omit<CallInput, keyof Input> &
  Input & { caller: Caller; request: Request };

/** What a handler answers. The status is the contract's success status unless it says another. */
export type Reply =
  | { kind: 'json'; body: unknown; status?: number }
  /** `about`: ids of what is gone now, for the audit entry, beside those that the request names. */
  | { kind: 'nothing'; about?: object }
  | { kind: 'stream'; headers: Record<string, string>; content: () => Readable };

export interface Exchange {
  request: Request;
  response: Response;
  operation: ContractOperation;
}

/** A request body, checked against the contract, and what must be cleaned up behind it. */
export interface Received {
  body: Checked<unknown>;
  dispose(): Promise<void>;
}

/** How one operation of the contract is served. */
export interface Route {
  /** The key needs one of these; null: no key is needed. */
  scopes: readonly Scope[] | null;
  /** Reads the body. @throws AppError when it cannot be read (400, 413) */
  receive(exchange: Exchange): Promise<Received>;
  handle(call: Call): Promise<Reply>;
}

/** Routes by operationId. */
export type Routes = Record<string, Route>;

/**
 * Declares a route. `Input` names the fields that its handler uses; the contract's validators have
 * made sure of them.
 */
export function route<Input extends Partial<CallInput>>(declared: {
  scopes: Route['scopes'];
  receive: Route['receive'];
  handle(call: Call<Input>): Promise<Reply>;
}): Route {
  return declared as Route;
}

/** Answers JSON. */
export function json(body: unknown, status?: number): Reply {
  return status === undefined ? { kind: 'json', body } : { kind: 'json', body, status };
}

/** Answers without a body. */
export const nothing: Reply = { kind: 'nothing' };
