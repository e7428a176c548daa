import { ApiError } from '@bomtrail/api-client';
import { explainError } from './explain-error';

test.each([
  [200, null, 3, 'not from bomtrail; check the URL'],
  [403, null, 3, 'not from bomtrail; check the URL'],
  [413, null, 3, 'a proxy before it refuses a document of this size'],
  [429, null, 3, 'too many requests, try later'],
  [502, null, 3, 'bomtrail is down or too slow'],
  [404, 'not_found', 3, 'without /api'],
  [404, 'sbom_not_found', 2, 'Rejected (404): why (sbom_not_found)'],
  [429, 'rate_limited', 3, 'unavailable (429)'],
  [500, 'internal_error', 3, 'unavailable (500)'],
] as const)(
  'an answer %i %s is explained and never means findings',
  (...[status, code, exitCode, text]) => {
    const error = explainError(new ApiError(status, code, 'why'));
    expect([error?.exitCode, error?.message]).toEqual([exitCode, expect.stringContaining(text)]);
  },
);
