import type { Checked, ContractOperation } from '@bomtrail/api-contract';
import type { Request, Response } from 'express';
import type { Readable } from 'node:stream';
import type { Caller } from '../api-keys/domain/caller';

/** Validated parts of a request, with the fields of the contract. */
export interface CallInput {
  path: object;
  query: object;
  body: unknown;
}

/** Input of a handler after authentication and validation. */
export type Call<Input extends Partial<CallInput> = CallInput> = Omit<CallInput, keyof Input> &
  Input & { caller: Caller; request: Request };

/** Reply of a handler. Default status: the contract's success status. */
export type Reply =
  /** `warnings`: texts for `Warning`, in ASCII without quotes. */
  | { kind: 'json'; body: unknown; status?: number; warnings?: readonly string[] }
  /** `about`: ids of deleted objects for the audit entry, besides those in the request. */
  | { kind: 'nothing'; about?: object }
  | StreamReply;

export interface StreamReply {
  kind: 'stream';
  headers: Record<string, string>;
  content: () => Readable;
}

export interface Exchange {
  request: Request;
  response: Response;
  operation: ContractOperation;
}

/** A validated request body with its clean-up. */
export interface Received {
  body: Checked<unknown>;
  dispose(): Promise<void>;
}

/** Route of one operation of the contract. */
export interface Route {
  /** Reads the body. @throws AppError if unreadable (400, 413) */
  receive(exchange: Exchange): Promise<Received>;
  handle(call: Call): Promise<Reply>;
}

/** Routes by operationId. */
export type Routes = Record<string, Route>;

/**
 * Declares a route. `Input` has the fields that its handler uses; the contract's validators
 * guarantee them.
 */
export function route<Input extends Partial<CallInput>>(declared: {
  receive: Route['receive'];
  handle(call: Call<Input>): Promise<Reply>;
}): Route {
  return declared as Route;
}

/** A JSON reply. */
export function json(body: unknown, status?: number): Reply {
  return status === undefined ? { kind: 'json', body } : { kind: 'json', body, status };
}

/** A reply without a body. */
export const nothing: Reply = { kind: 'nothing' };
