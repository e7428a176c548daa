import { AppError, errorTable, type ErrorCode } from '@bomtrail/messages';
import { status } from '@grpc/grpc-js';
import { ValidationError } from '../shared/http-error';
import { statusOf } from './status-of';

test.each(Object.keys(errorTable) as ErrorCode[])('%s has the status of the table', (code) => {
  const sent = statusOf(new AppError(code));
  expect(status[sent.code]).toBe(errorTable[code].grpc);
  expect(sent.details).toBe(errorTable[code].detail);
  expect(sent.metadata.get('bomtrail-code')).toEqual([code]);
});

test('of any other error nothing is shown', () => {
  for (const error of [
    new TypeError('secret'),
    new AppError('internal_error', 'secret'),
    'secret',
  ]) {
    const sent = statusOf(error);
    expect([sent.code, sent.details]).toEqual([status.INTERNAL, 'Internal Server Error']);
    expect(sent.metadata.get('bomtrail-code')).toEqual(['internal_error']);
  }
});

test('wrong fields are named, each with its fault', () => {
  const problem = (field: string) => ({
    loc: ['body', field],
    msg: `bad ${field}`,
    type: 'missing',
  });
  const sent = statusOf(new ValidationError([problem('version'), problem('sbom_json')]));
  expect(sent.code).toBe(status.INVALID_ARGUMENT);
  expect(sent.details).toBe('version: bad version; sbom_json: bad sbom_json');
  expect(sent.metadata.getMap()).toEqual({});
});

test.each(['x', 'ü', '\u{1F9C0}', '%', '\ud800'])(
  'a long sentence of %j stays sendable',
  (sign) => {
    const { details } = statusOf(new AppError('invalid_sbom', sign.repeat(20_000)));
    expect(encodeURI(details).length).toBeLessThan(5 * 1024);
    expect(details.endsWith('…')).toBe(true);
  },
);
