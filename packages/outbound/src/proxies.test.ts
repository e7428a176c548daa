import { proxyFor, readProxies } from './proxies';

test.each<[string, string, boolean]>([
  ['', 'https://a.example', true],
  ['*', 'https://a.example', false],
  ['a.example', 'https://a.example', false],
  ['a.example', 'https://b.a.example', false],
  ['.a.example', 'https://b.a.example', false],
  ['*.a.example', 'https://b.a.example', false],
  ['a.example', 'https://ba.example', true],
  ['A.EXAMPLE', 'https://a.example', false],
  ['a.example:443', 'https://a.example', false],
  ['a.example:8443', 'https://a.example', true],
  ['x, a.example', 'https://a.example', false],
  ['10.0.0.1', 'https://10.0.0.1', false],
  ['::1', 'https://[::1]:8080', false],
  ['[::1]:8080', 'https://[::1]:8080', false],
  ['[::1]:80', 'https://[::1]:8080', true],
  [',', 'https://a.example', true],
])('with NO_PROXY "%s", %s goes through the proxy: %p', (direct, target, proxied) => {
  const proxies = readProxies({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: direct });
  expect(proxyFor(proxies, new URL(target)) !== null).toBe(proxied);
});

test('each scheme has its proxy; lower case counts first, empty is not set, http:// may be missing', () => {
  const proxies = readProxies({
    https_proxy: 'secure:1',
    HTTPS_PROXY: 'http://ignored:2',
    http_proxy: '',
    HTTP_PROXY: 'https://plain:3',
  });
  expect(proxyFor(proxies, new URL('https://x'))?.href).toBe('http://secure:1/');
  expect(proxyFor(proxies, new URL('http://x'))?.href).toBe('https://plain:3/');
  const one = readProxies({ HTTP_PROXY: 'plain:3' });
  expect(proxyFor(one, new URL('https://x'))).toBeNull();
});

test.each(['socks5://user:secret@x', 'http://', 'http://u:secret@x y'])(
  '%s is refused without telling its value',
  (value) => {
    expect(() => readProxies({ HTTPS_PROXY: value })).toThrow(/^HTTPS_PROXY is no address such as/);
  },
);

test('a password with a % that is no part of an escape is refused without telling it', () => {
  const value = 'http://u:se%zzcret@proxy:3128';
  expect(() => readProxies({ HTTPS_PROXY: value })).toThrow(
    /^HTTPS_PROXY has a % in its name or password: write it as %25\.$/,
  );
  expect(readProxies({ HTTPS_PROXY: 'http://u:50%25@proxy:3128' }).https).not.toBeNull();
});
