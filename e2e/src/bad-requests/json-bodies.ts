import { gzipSync } from 'node:zlib';
import type { BadRequest } from './bad-request';

// Long because it is a table: an entry for each request.

const post = { method: 'POST', path: '/api/v1/projects' };
const json = (value: unknown): string => JSON.stringify(value);

/** Bodies that are not JSON at all, or JSON of a kind that no endpoint wants. */
const malformed: BadRequest[] = [
  ...[
    ['one opening brace', '{'],
    ['an object that is cut off', '{"name":"x"'],
    ['an object with a comma at its end', '{"name":"x",}'],
    ['single quotes', "{'name':'x'}"],
    ['a name without quotes', '{name:"x"}'],
    ['two values', '{"name":"x"}{"name":"y"}'],
    ['a comment', '{"name":"x"/* y */}'],
    ['NaN', '{"name":NaN}'],
    ['Infinity', '{"name":Infinity}'],
    ['a number with a leading zero', '{"name":01}'],
    ['a plus before a number', '{"name":+1}'],
    ['a hexadecimal number', '{"name":0x10}'],
    ['a number with nothing after its point', '{"name":1.}'],
    ['a control character in a string', '{"name":"a\u0001b"}'],
    ['a line break in a string', '{"name":"a\nb"}'],
    ['a null byte after the value', '{"name":"x"}\0'],
    ['a broken escape', '{"name":"\\x41"}'],
    ['half of a Unicode escape', '{"name":"\\u12"}'],
    ['a form instead of JSON', 'name=x&platform=y'],
    ['XML instead of JSON', '<name>x</name>'],
    ['100,000 opening brackets and no closing one', '['.repeat(100_000)],
    ['white space only', ' \r\n\t '],
    ['two byte order marks', '\uFEFF\uFEFF{"name":"x"}'],
    ['undefined', 'undefined'],
  ].map(([title, body]) => ({
    ...post,
    title: `a JSON body that is ${title}`,
    body,
    status: 400,
    code: 'malformed_json',
  })),
  ...(
    [
      ['in UTF-16 with a byte order mark', Buffer.from('\uFEFF{"name":"x"}', 'utf16le')],
      ['in UTF-16 without one', Buffer.from('{"name":"x"}', 'utf16le')],
      ['in UTF-16 big-endian', Buffer.from('{"name":"x"}', 'utf16le').swap16()],
      ['in UTF-32', Buffer.from([0x7b, 0, 0, 0, 0x7d, 0, 0, 0])],
      ['in Latin-1', Buffer.from('{"name":"Käse"}', 'latin1')],
      ['with a byte that UTF-8 never has', Buffer.from('{"name":"\xff"}', 'latin1')],
      ['with an overlong slash', Buffer.from('{"name":"\xc0\xaf"}', 'latin1')],
      ['with a surrogate in UTF-8', Buffer.from('{"name":"\xed\xa0\x80"}', 'latin1')],
      ['with a code point above U+10FFFF', Buffer.from('{"name":"\xf4\x90\x80\x80"}', 'latin1')],
      ['with a character that is cut off', Buffer.from('{"name":"\xe2\x82"}', 'latin1')],
      ['with a continuation byte alone', Buffer.from('{"name":"\x80"}', 'latin1')],
    ] as const
  ).map(([title, body]) => ({
    ...post,
    title: `a JSON body ${title}`,
    body,
    status: 400,
    code: 'malformed_json',
  })),
];

/** JSON values that are no object, and objects that hide their fields. */
const wrongShape: BadRequest[] = [
  ...[
    ['null', 'null'],
    ['true', 'true'],
    ['a number', '1'],
    ['a number beyond all bounds', '1e400'],
    ['a string', '"x"'],
    ['an empty string', '""'],
    ['an array', '[]'],
    ['an array with the right object', '[{"name":"x"}]'],
    ['100,000 nested arrays', '['.repeat(100_000) + ']'.repeat(100_000)],
  ].map(([title, body]) => ({
    ...post,
    title: `${title} in place of an object`,
    body,
    status: 422,
    problems: ['body dict_type'],
  })),
  ...[
    ['an empty object', '{}'],
    ['__proto__ with the fields in it', '{"__proto__":{"name":"x"}}'],
    ['constructor.prototype with the fields in it', '{"constructor":{"prototype":{"name":"x"}}}'],
    ['the field in another case', '{"NAME":"x"}'],
    ['the field with a blank', '{"name ":"x"}'],
    ['the field escaped twice', '{"\\\\u006eame":"x"}'],
    ['an object in an object', '{"project":{"name":"x"}}'],
  ].map(([title, body]) => ({
    ...post,
    title: `${title} in place of the fields of a project`,
    body,
    status: 422,
    problems: ['body.name missing'],
  })),
  {
    ...post,
    title: 'no body at all',
    status: 422,
    problems: ['body missing'],
  },
  {
    ...post,
    title: 'an empty body that says it is JSON',
    headers: { 'content-type': 'application/json', 'content-length': '0' },
    status: 422,
    problems: ['body missing'],
  },
  {
    ...post,
    title: 'a byte order mark alone',
    body: '\uFEFF',
    status: 400,
    code: 'malformed_json',
  },
  {
    ...post,
    title: 'a body of 1 MiB and a byte',
    body: `"${'x'.repeat(1024 * 1024 - 1)}"`,
    status: 413,
    code: 'payload_too_large',
  },
  {
    ...post,
    title: 'a body of exactly 1 MiB with a name that is too long',
    body: json({ name: 'x'.repeat(1024 * 1024 - 11) }),
    status: 422,
    problems: ['body.name string_too_long'],
  },
  {
    ...post,
    title: 'a body with 50,000 fields that nobody knows',
    body: json(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, 1]))),
    status: 422,
    problems: ['body.name missing'],
  },
  {
    method: 'PATCH',
    path: '/api/v1/projects/$PROJECT',
    title: 'a change with a key of __proto__ deep inside',
    body: '{"x":{"__proto__":{"polluted":true}},"__proto__":{"name":"polluted"}}',
    status: 200,
  },
];

/** Content codings and types that do not fit the bytes. */
const codings: BadRequest[] = [
  ...[
    'br',
    'deflate',
    'compress',
    'zstd',
    'gzip, gzip',
    'gzip, br',
    'gzip;q=1',
    'aes128gcm',
    '*',
    'g zip',
  ].map((coding) => ({
    ...post,
    title: `a body in the content coding ${coding}`,
    headers: { 'content-encoding': coding },
    body: '{"name":"x"}',
    status: 400,
    code: 'unsupported_media_type',
  })),
  ...(
    [
      ['cut off', gzipSync('{"name":"x"}').subarray(0, 15)],
      ['with a wrong checksum', flipped(gzipSync('{"name":"x"}'), -6)],
      ['with broken data', flipped(gzipSync('{"name":"x"}'), 12)],
      ['that ends after its magic bytes', Buffer.from([0x1f, 0x8b])],
      ['with an unknown method', Buffer.from([0x1f, 0x8b, 7, 0, 0, 0, 0, 0, 0, 0])],
    ] as const
  ).map(([title, body]) => ({
    ...post,
    title: `a gzip'd body ${title}`,
    headers: { 'content-encoding': 'gzip' },
    body,
    status: 400,
    code: 'malformed_body',
  })),
  {
    ...post,
    title: "100 MB of blanks, gzip'd into 100 kB",
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(Buffer.alloc(100_000_000, 0x20)),
    status: 413,
    code: 'payload_too_large',
  },
  {
    ...post,
    title: "a gzip'd gzip'd body",
    headers: { 'content-encoding': 'gzip' },
    body: gzipSync(gzipSync('{"name":"x"}')),
    status: 400,
    code: 'malformed_json',
  },
  {
    ...post,
    title: "a gzip'd body that does not say so",
    body: gzipSync('{"name":"x"}'),
    status: 400,
    code: 'malformed_json',
  },
  ...[
    '',
    'json',
    'text/plain',
    'text/json',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/json, text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset="utf-16"',
    '*/*',
    'application/*',
    'multipart/form-data; boundary=x',
    'application/j\u00e4son',
  ].map((type) => ({
    ...post,
    title: `a JSON body sent as "${type}"`,
    headers: { 'content-type': type },
    body: '{"name":"x"}',
    status: 400,
    code: 'unsupported_media_type',
  })),
  {
    ...post,
    title: 'a JSON body with an empty charset, which is no mistake, and a wrong field',
    headers: { 'content-type': 'application/json; charset=' },
    body: '{"name":1}',
    status: 422,
    problems: ['body.name string_type'],
  },
  {
    ...post,
    title: 'a JSON body without a content type',
    headers: { 'content-type': null },
    body: '{"name":"x"}',
    status: 400,
    code: 'unsupported_media_type',
  },
];

/** A copy with one byte changed; a place below 0 counts from the end. */
function flipped(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = offset < 0 ? copy.length + offset : offset;
  copy[index] = (copy[index] ?? 0) ^ 0xff;
  return copy;
}

export const jsonBodies: BadRequest[] = [...malformed, ...wrongShape, ...codings];
