import fc from 'fast-check';
import { webhookUrlFault } from './webhook-url';

function fault(text: string, anyAddress = false): string | undefined {
  return webhookUrlFault(text, { anyAddress })?.type;
}

describe('the address of a webhook', () => {
  test.each([
    'https://hooks.slack.com/services/T0/B0/secret',
    'HTTPS://Discord.com:443/api/webhooks/1/secret?wait=true#x',
    'https://chat.bücher.example/hooks/1',
    'https://chat.example.org./hooks/1',
    'https://localhost.example.org/',
    'https://notlocalhost/',
    'https://8.8.8.8:8443/hook',
    'https://134744072/hook',
    'https://9.255.255.255/',
    'https://11.0.0.0/',
    'https://100.63.255.255/',
    'https://100.128.0.0/',
    'https://126.255.255.255/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://192.167.255.255/',
    'https://192.169.0.0/',
    'https://223.255.255.255/',
    'https://203.0.113.7/hook',
    'https://[2606:4700:4700::1111]/hook',
    'https://[2001:db8::1]/hook',
    'https://[::ffff:8.8.8.8]/hook',
  ])('may be %s', (text) => {
    expect(fault(text)).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['only a host', 'hooks.slack.com/services/T0'],
    ['no slashes', 'https:hooks.slack.com'],
    ['no host', 'https://'],
    ['only a port', 'https://:8443/'],
    ['five numbers', 'https://1.2.3.4.5/'],
    ['a number above 255', 'https://256.1.1.1/'],
    ['a zone', 'https://[fe80::1%25eth0]/'],
    ['white space', 'https://hooks.example.org/a b'],
    ['a tab in the host', 'https://hooks.exam\tple.org/'],
    ['a line end behind it', 'https://hooks.example.org/\n'],
    ['a NUL', 'https://hooks.example.org/\u0000'],
  ])('is no URL with %s', (_what, text) => {
    for (const anyAddress of [false, true]) expect(fault(text, anyAddress)).toBe('url_parsing');
  });

  test.each([
    'http://hooks.slack.com/',
    'ftp://x.example.org/',
    'file:///etc/passwd',
    'javascript://x/',
  ])('needs https: %s', (text) => {
    expect(webhookUrlFault(text, { anyAddress: false })).toMatchObject({
      type: 'url_scheme',
      ctx: { expected_schemes: "'https'" },
    });
  });

  test.each([
    'https://user:secret@hooks.example.org/',
    'https://user@hooks.example.org/',
    'https://:secret@hooks.example.org/',
  ])('holds no credentials: %s', (text) => {
    for (const anyAddress of [false, true]) expect(fault(text, anyAddress)).toBe('value_error');
  });
});

const loopback = [
  '127.0.0.1',
  '127.255.255.254',
  '127.1',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  '2130706433',
  '127.0.0.1.',
  '127%2e0.0.1',
  '１２７.0.0.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:7f00:1]',
  '[::127.0.0.1]',
];
const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'a.b.localhost..',
  '%6c%6fcalhost',
  'loc\u00adalhost',
  'ⓛocalhost',
];
const others = [
  '0.0.0.0',
  '0',
  '0.1.2.3',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.8',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[64:ff9b::10.0.0.1]',
  '[64:ff9b:1::10.0.0.1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[febf::1]',
  '[fc00::1]',
  '[fdff::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[4000::1]',
];

describe('an internal address', () => {
  test.each([...loopback, ...names, ...others])('is rejected: %s', (host) => {
    expect(fault(`https://${host}:8443/hook`)).toBe('value_error');
  });

  test.each([...loopback, ...names, ...others])(
    'is accepted if the deployment allows it: %s',
    (host) => {
      expect(fault(`http://${host}:8080/hook`, true)).toBeUndefined();
      expect(fault(`https://${host}/hook`, true)).toBeUndefined();
    },
  );

  test('is rejected in every notation of its numbers', () => {
    const written = fc
      .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
      .chain((rest) =>
        fc.constantFrom(
          `10.${rest.join('.')}`,
          `0xa.0x${rest.map((part) => part.toString(16)).join('.0x')}`,
          `012.0${rest.map((part) => part.toString(8)).join('.0')}`,
          `10.${rest[0]}.${rest[1] * 256 + rest[2]}`,
          `10.${(rest[0] * 256 + rest[1]) * 256 + rest[2]}`,
          `${((10 * 256 + rest[0]) * 256 + rest[1]) * 256 + rest[2]}`,
          `[::ffff:10.${rest.join('.')}]`,
        ),
      );
    fc.assert(
      fc.property(written, (host) => {
        expect([host, fault(`https://${host}/`)]).toEqual([host, 'value_error']);
      }),
    );
  });
});

test('faults contain no part of the URL', () => {
  for (const text of [
    'http://h.example/s3cret',
    'https://10.0.0.1/s3cret',
    's3cret',
    '/s3cret\n',
  ]) {
    expect(JSON.stringify(webhookUrlFault(text, { anyAddress: false }))).not.toMatch(
      /s3cret|10\.0/,
    );
  }
});
