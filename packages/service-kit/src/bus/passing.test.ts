import { AppError } from '@bomtrail/messages';
import { MongoServerError } from 'mongodb';
import { retryOf } from './passing';

function serverError(...labels: string[]): MongoServerError {
  return new MongoServerError({ message: 'WriteConflict', errorLabels: labels });
}

test.each([
  ['a transaction that was rolled back', serverError('TransientTransactionError'), 'again'],
  ['another refusal of the database', serverError(), 'counted'],
  ['a service that is away', new AppError('service_unavailable'), 'again'],
  ['what does not exist', new AppError('sbom_not_found'), 'never'],
  ['an error of our own', new AppError('internal_error'), 'counted'],
  ['anything else', new Error('broken'), 'counted'],
])('a message that fails by %s is tried again, or not, accordingly', (_what, error, expected) => {
  expect(retryOf(error)).toBe(expected);
});
