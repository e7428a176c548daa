import { AppError } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';
import { PermissionViolationError, RequestError } from '@nats-io/transport-node';
import {
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  type BulkWriteResult,
} from 'mongodb';
import { asResponse, retryOf } from './passing';

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
function httpError(code: number, err_code: number): JetStreamApiError {
  return new JetStreamApiError({ code, err_code, description: 'by JetStream' });
}

/** What the client makes of a subject that its user may not publish to. */
function forbidden(): RequestError {
  const cause = new PermissionViolationError('not allowed', 'publish', 'scan.completed.v1');
  return new RequestError(cause.message, { cause });
}

test.each([
  ['a transaction that was rolled back', serverError('TransientTransactionError'), 'again'],
  ['a database that is shutting down', leaving(), 'again'],
  ['a write that a fallen primary cut off', serverError('RetryableWriteError'), 'again'],
  [
    'a stream that is gone',
    new Error('not enabled', { cause: new RequestError('no responders') }),
    'again',
  ],
  ['a bulk write that a fallen primary cut off', brokenBulk(), 'again'],
  ['a message that is on its way already', httpError(409, 10158), 'again'],
  ['a bus without a leader', httpError(503, 10008), 'again'],
  ['a disk without room for the stream', httpError(500, 10047), 'again'],
  ['an account without room for the stream', httpError(400, 10002), 'again'],
  ['a stream that is just being made', httpError(404, 10059), 'again'],
  ['a stream that another process has just made', httpError(400, 10058), 'again'],
  ['a stream that takes no message of its size', httpError(400, 10054), 'never'],
  ['a stream that is sealed', httpError(400, 10109), 'counted'],
  ['a subject that its user may not publish to', forbidden(), 'counted'],
  ['an index that is not there', withoutIndex(), 'counted'],
  ['another refusal of the database', serverError(), 'counted'],
  ['a service that is away', new AppError('service_unavailable'), 'again'],
  ['what does not exist', new AppError('sbom_not_found'), 'never'],
  ['an error of our own', new AppError('internal_error'), 'counted'],
  ['anything else', new Error('broken'), 'counted'],
])('a message that fails by %s is tried again, or not, accordingly', (_what, error, expected) => {
  expect(retryOf(error)).toBe(expected);
});

test.each([
  ['a database that cannot be reached', new MongoNetworkError('closed')],
  ['a database that is shutting down', leaving()],
  ['a database that has just started', withoutIndex()],
])('who asks is told to repeat it, by %s', (_what, error) => {
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
