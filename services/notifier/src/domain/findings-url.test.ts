import { findingsUrlOf } from './findings-url';

test.each([
  ['https://bomtrail.example', true, 'https://bomtrail.example/findings'],
  ['https://bomtrail.example//', true, 'https://bomtrail.example/findings'],
  ['https://bomtrail.example/', false, 'https://bomtrail.example/api/v1/vulnerabilities/active'],
  [
    'https://tools.example:8443/sboms/',
    true,
    'https://tools.example:8443/sboms/api/v1/vulnerabilities/active',
  ],
  [undefined, true, undefined],
])('findings at %s, with a page: %s, are at %s', (publicUrl, page, expected) => {
  expect(findingsUrlOf({ PUBLIC_URL: publicUrl, WEB_PAGE: page })).toBe(expected);
});
