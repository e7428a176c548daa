import { AppError } from '@bomtrail/messages';
import { JetStreamApiError } from '@nats-io/jetstream';
import { RequestError } from '@nats-io/transport-node';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { asAnswer, retryOf } from './passing';

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

test.each([
  ['a transaction that was rolled back', serverError('TransientTransactionError'), 'again'],
  ['a database that is shutting down', leaving(), 'again'],
  ['a write that a fallen primary cut off', serverError('RetryableWriteError'), 'again'],
  [
    'a stream that is gone',
    new Error('not enabled', { cause: new RequestError('no responders') }),
    'again',
  ],
  [
    'a bus without a leader',
    new JetStreamApiError({ code: 503, err_code: 10008, description: 'not available' }),
    'again',
  ],
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
  expect(asAnswer(error)).toMatchObject({ code: 'service_unavailable' });
});

test.each([
  ['what does not exist', new AppError('sbom_not_found')],
  ['a refusal of the database', serverError()],
  ['a query that makes no sense', new MongoServerError({ message: 'unknown operator', code: 2 })],
  ['anything else', new Error('broken')],
])('%s is answered as what it is', (_what, error) => {
  expect(asAnswer(error)).toBe(error);
});
