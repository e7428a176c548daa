import { webAddress } from './web-address';

test.each(['https://nvd.nist.gov/vuln/detail/CVE-2021-44228', 'http://example.org/'])(
  '%s is a link',
  (url) => expect(webAddress(url)).toBe(url),
);

test.each([
  'javascript:alert(1)',
  ' JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'ftp://a.b/c',
  'nothing',
  '',
])('%j is text', (url) => expect(webAddress(url)).toBeUndefined());
