import { AppError } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, RequestError } from '@nats-io/transport-node';
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  type BulkWriteResult,
} from 'mongodb';
import { asResponse, retryPolicyOf } from './transient-errors';

function serverError(...labels: string[]): MongoServerError {
  return new MongoServerError({ message: 'WriteConflict', errorLabels: labels });
}

/** What an operation says that a server ends while it ends. */
function leaving(): MongoServerError {
  return new MongoServerError({ message: 'interrupted at shutdown', code: 11600 });
}

/** What a server says of a query that names an index, right after its start. */
function withoutIndex(): MongoServerError {
  const message =
    'planner returned error :: caused by :: hint provided does not correspond to an existing index';
  return new MongoServerError({ message, code: 2 });
}

/** What the driver makes of a connection that broke during a bulk write. */
function brokenBulk(): MongoBulkWriteError {
  return new MongoBulkWriteError(new MongoNetworkError('read ECONNRESET'), {} as BulkWriteResult);
}

/** What JetStream answers. */
function apiError(code: number, err_code: number): JetStreamApiError {
  return new JetStreamApiError({ code, err_code, description: 'by JetStream' });
}

/** What the client makes of a subject that its user may not publish to. */
function forbidden(): RequestError {
  const cause = new PermissionViolationError('not allowed', 'publish', 'scan.completed.v1');
  return new RequestError(cause.message, { cause });
}

test.each([
  ['a transaction that was rolled back', serverError('TransientTransactionError'), 'unlimited'],
  ['a database that is shutting down', leaving(), 'unlimited'],
  ['a write that a fallen primary cut off', serverError('RetryableWriteError'), 'unlimited'],
  [
    'a stream that is gone',
    new Error('not enabled', { cause: new RequestError('no responders') }),
    'unlimited',
  ],
  ['a bulk write that a fallen primary cut off', brokenBulk(), 'unlimited'],
  ['a message that is on its way already', apiError(409, 10158), 'unlimited'],
  ['a bus without a leader', apiError(503, 10008), 'unlimited'],
  ['a disk without room for the stream', apiError(500, 10047), 'unlimited'],
  ['an account without room for the stream', apiError(400, 10002), 'unlimited'],
  ['a stream that is just being made', apiError(404, 10059), 'unlimited'],
  ['a stream that another process has just made', apiError(400, 10058), 'unlimited'],
  ['a stream that takes no message of its size', apiError(400, 10054), 'never'],
  ['a stream that is sealed', apiError(400, 10109), 'limited'],
  ['a subject that its user may not publish to', forbidden(), 'limited'],
  ['an index that is not there', withoutIndex(), 'limited'],
  ['another refusal of the database', serverError(), 'limited'],
  ['a service that is away', new AppError('service_unavailable'), 'unlimited'],
  ['what does not exist', new AppError('sbom_not_found'), 'never'],
  ['an error of our own', new AppError('internal_error'), 'limited'],
  ['anything else', new Error('broken'), 'limited'],
])('a message that fails by %s is tried again, or not, accordingly', (_what, error, expected) => {
  expect(retryPolicyOf(error)).toBe(expected);
});

test.each([
  ['a database that cannot be reached', new MongoNetworkError('closed')],
  ['a database that is shutting down', leaving()],
  ['a database that has just started', withoutIndex()],
])('%s becomes service_unavailable', (_what, error) => {
  expect(asResponse(error)).toMatchObject({ code: 'service_unavailable' });
});

test.each([
  ['what does not exist', new AppError('sbom_not_found')],
  ['a refusal of the database', serverError()],
  ['a query that makes no sense', new MongoServerError({ message: 'unknown operator', code: 2 })],
  ['anything else', new Error('broken')],
])('%s is answered as what it is', (_what, error) => {
  expect(asResponse(error)).toBe(error);
});
