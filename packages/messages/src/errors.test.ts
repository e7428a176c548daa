import { AppError, errorTable, fromWire, toWire, type ErrorCode } from './errors';

test.each(Object.keys(errorTable) as ErrorCode[])('%s crosses the bus unchanged', (code) => {
  const error = fromWire(toWire(new AppError(code, 'What to do.')));
  expect([error.code, error.message]).toEqual([code, 'What to do.']);
});

test('an error crosses the bus with its retry delay', () => {
  const error = fromWire(toWire(new AppError('rate_limited', 'Wait.', 1800)));
  expect(error.retryAfterSeconds).toBe(1800);
  expect(toWire(new AppError('rate_limited', 'Wait.'))).toEqual({
    code: 'rate_limited',
    detail: 'Wait.',
  });
});

test('an unknown error reveals nothing', () => {
  expect(toWire(new Error('the password is 1234'))).toEqual({
    code: 'internal_error',
    detail: 'Internal Server Error',
  });
});

test('an unknown code is an internal error', () => {
  expect(fromWire({ code: 'not_yet_invented', detail: '?' }).code).toBe('internal_error');
});
