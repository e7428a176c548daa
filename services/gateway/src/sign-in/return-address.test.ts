import { returnAddress } from './return-address';

const origin = 'https://bomtrail.example.org';

test.each([
  ['/', '/'],
  ['/findings?severity=high#top', '/findings?severity=high#top'],
  ['/projects/web-shop', '/projects/web-shop'],
])('%s is returned to', (given, expected) => {
  expect(returnAddress(given, origin)).toBe(expected);
});

test.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/%2f/evil.example',
  '/findings/..//evil.example',
  'javascript:alert(1)',
  'https://bomtrail.example.org.evil.example/',
  '@evil.example',
  '/api/v1/projects',
  '/auth/sign-in',
  '',
  undefined,
  ['/findings', '//evil.example'],
  `/findings?${'x'.repeat(2_000)}`,
])('%j is not', (given) => {
  expect(returnAddress(given, origin)).toBe('/');
});
