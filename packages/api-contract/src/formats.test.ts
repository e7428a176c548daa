import fc from 'fast-check';
import { formats } from './formats';

function fault(format: string, text: string): string | undefined {
  return formats[format]!.fault(text)?.type;
}

describe('a UUID', () => {
  test('is accepted in either case and normalised to lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(fault('uuid', id.toUpperCase())).toBeUndefined();
        expect(formats.uuid!.parse!(id.toUpperCase())).toBe(id);
      }),
    );
  });

  test.each([
    '',
    ' ',
    'abc',
    '0197c1a05b7e7c3a9d402f6b8f1e0a11',
    'urn:uuid:0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
    '{0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11}',
    '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a1g',
    '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11\n',
  ])('is not %j', (text) => {
    expect(fault('uuid', text)).toBe('uuid_parsing');
  });
});

describe('a point in time', () => {
  test.each([
    ['2030-01-31T12:00:00Z', '2030-01-31T12:00:00.000Z'],
    ['2030-01-31T12:00:00+02:00', '2030-01-31T10:00:00.000Z'],
    ['2030-01-31t12:00:00.123456z', '2030-01-31T12:00:00.123Z'],
    ['2028-02-29T00:00:00-00:30', '2028-02-29T00:30:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(fault('date-time', text)).toBeUndefined();
    expect(formats['date-time']!.parse!(text)).toBe(utc);
  });

  test('may be any that JavaScript prints', () => {
    const dates = fc.date({
      min: new Date('0001-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(dates, (date) => {
        expect(fault('date-time', date.toISOString())).toBeUndefined();
        expect(formats['date-time']!.parse!(date.toISOString())).toBe(date.toISOString());
      }),
    );
  });

  test.each([
    'foo',
    '',
    '1893456000',
    '2030-01-31',
    '2030-01-31 12:00:00Z',
    '2030-13-01T00:00:00Z',
    '2030-00-01T00:00:00Z',
    '2029-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2030-04-31T00:00:00Z',
    '2030-01-31T24:00:00Z',
    '2030-01-31T12:60:00Z',
    '2030-01-31T12:00:60Z',
    '2030-01-31T12:00:00+25:00',
    '9999-12-31T23:59:59-01:00',
  ])('is not %j', (text) => {
    expect(fault('date-time', text)).toBe('datetime_from_date_parsing');
  });

  test('needs an offset from UTC', () => {
    expect(fault('date-time', '2030-01-31T12:00:00')).toBe('timezone_aware');
  });
});

describe('the address of a repository', () => {
  test.each([
    'http://git.example.org/a',
    'https://git.example.org/a/b.git',
    'HTTPS://git.example.org',
    'ssh://git@git.example.org:2222/a.git',
    'git://git.example.org/a.git',
    'git+https://git.example.org/a.git#main',
    'git+ssh://git@git.example.org/a.git',
    'git@git.example.org:a/b.git',
    'git@[2001:db8::1]:a/b.git',
    'https://bücher.example/a',
  ])('is %s', (text) => {
    expect(fault('repo-url', text)).toBeUndefined();
  });

  test.each([
    ['ftp://git.example.org/a', 'url_scheme'],
    ['file:///etc/passwd', 'url_scheme'],
    ['javascript://x/%0aalert(1)', 'url_scheme'],
    ['javascript:alert(1)', 'url_parsing'],
    ['https:git.example.org', 'url_parsing'],
    ['https://', 'url_parsing'],
    ['ssh:///a.git', 'url_parsing'],
    ['https:///x', 'url_parsing'],
    ['https:////x', 'url_parsing'],
    ['http://\\\\x', 'url_parsing'],
    ['http://?x', 'url_parsing'],
    ['http://[::1', 'url_parsing'],
    ['git.example.org/a', 'url_parsing'],
    ['/srv/git/a.git', 'url_parsing'],
    ['git@git.example.org', 'url_parsing'],
    ['git@git.example.org:', 'url_parsing'],
    ['https://git.example.org/a b', 'url_parsing'],
    ['https://git.exam\tple.org/a', 'url_parsing'],
    ['https://git.example.org/\u0000', 'url_parsing'],
  ])('is not %j', (text, type) => {
    expect(fault('repo-url', text)).toBe(type);
  });
});
