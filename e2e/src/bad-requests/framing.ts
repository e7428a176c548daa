import type { BadRequest } from './bad-request';

// Long because it is a table: an entry for each request.

const key = 'Authorization: Bearer $KEY\r\n';
const closing = 'Host: localhost\r\nConnection: close\r\n';
const jsonType = 'Content-Type: application/json\r\n';
const noHttp = { status: 400, code: 'malformed_body' };
const tooLarge = { status: 431, code: 'headers_too_large' };

function request(line: string, headers = '', body = ''): string {
  return `${line}\r\n${closing}${key}${headers}\r\n${body}`;
}

/** Bytes that are no HTTP/1.1. */
const noRequests: BadRequest[] = (
  [
    ['nonsense', 'NONSENSE\r\n\r\n'],
    ['a request line without a path', 'GET HTTP/1.1\r\n\r\n'],
    ['a request line of HTTP/3.7', 'GET /healthz HTTP/3.7\r\nHost: x\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a method with a blank in it', request('GE T /healthz HTTP/1.1')],
    ['a method in lower case', request('get /healthz HTTP/1.1')],
    ['a method that nobody knows', request('BREW /healthz HTTP/1.1')],
    ['a path without a slash', request('GET healthz HTTP/1.1')],
    ['a path with a blank', request('GET /health z HTTP/1.1')],
    ['a path beyond ASCII', request('GET /api/v1/\u00e4 HTTP/1.1')],
    ['a path with a null byte', request('GET /health\0z HTTP/1.1')],
    ['a path with a control character', request('GET /health\x01z HTTP/1.1')],
    ['the hello of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['a header without a colon', request('GET /healthz HTTP/1.1', 'x\r\n')],
    ['a header with a blank before its colon', request('GET /healthz HTTP/1.1', 'x : y\r\n')],
    ['a header without a name', request('GET /healthz HTTP/1.1', ': y\r\n')],
    ['a header name beyond ASCII', request('GET /healthz HTTP/1.1', 'k\u00e4se: y\r\n')],
    ['a header with a null byte', request('GET /healthz HTTP/1.1', 'x: y\0z\r\n')],
    ['a header with a carriage return alone', request('GET /healthz HTTP/1.1', 'x: y\rz: 1\r\n')],
    ['a header that is folded', `GET /healthz HTTP/1.1\r\n x: y\r\n${closing}\r\n`],
    ['no Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'two lengths that differ',
      request(
        'POST /api/v1/projects HTTP/1.1',
        `${jsonType}Content-Length: 2\r\nContent-Length: 3\r\n`,
        '{} ',
      ),
    ],
    [
      'the same length twice',
      request(
        'POST /api/v1/projects HTTP/1.1',
        `${jsonType}Content-Length: 2\r\nContent-Length: 2\r\n`,
        '{}',
      ),
    ],
    [
      'a length and chunks',
      request(
        'POST /api/v1/projects HTTP/1.1',
        `${jsonType}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`,
        '0\r\n\r\n',
      ),
    ],
    ...['-1', '+2', '0x2', '2.0', '1e1', 'two', '2, 2', '2 2', '99999999999999999999'].map(
      (length) =>
        [
          `a length of ${length}`,
          request(
            'POST /api/v1/projects HTTP/1.1',
            `${jsonType}Content-Length: ${length}\r\n`,
            '{}',
          ),
        ] as const,
    ),
    ...['identity', 'gzip', 'chunked, gzip', 'xchunked', 'chunked, chunked'].map(
      (coding) =>
        [
          `the transfer coding ${coding}`,
          request(
            'POST /api/v1/projects HTTP/1.1',
            `${jsonType}Transfer-Encoding: ${coding}\r\n`,
            '2\r\n{}\r\n0\r\n\r\n',
          ),
        ] as const,
    ),
    ...(
      [
        ['without a size', '\r\n{}\r\n0\r\n\r\n'],
        ['with a size that is no number', 'xy\r\n{}\r\n0\r\n\r\n'],
        ['with a size below 0', '-2\r\n{}\r\n0\r\n\r\n'],
        ['with a size beyond all bounds', 'ffffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
        ['shorter than their size', '1\r\n{}\r\n0\r\n\r\n'],
      ] as const
    ).map(
      ([what, body]) =>
        [
          `chunks ${what}`,
          request(
            'POST /api/v1/projects HTTP/1.1',
            `${jsonType}Transfer-Encoding: chunked\r\n`,
            body,
          ),
        ] as const,
    ),
  ] as const
).map(([title, raw]) => ({ title, raw, ...noHttp }));

/** The client stops before it has sent what it announced. */
const cutOff: BadRequest[] = (
  [
    ['in the request line', 'GET /heal'],
    ['in the headers', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Y'],
    [
      'before the body',
      request('POST /api/v1/projects HTTP/1.1', `${jsonType}Content-Length: 12\r\n`),
    ],
    [
      'in the body',
      request('POST /api/v1/projects HTTP/1.1', `${jsonType}Content-Length: 12\r\n`, '{"name"'),
    ],
    [
      'in a chunk',
      request(
        'POST /api/v1/projects HTTP/1.1',
        `${jsonType}Transfer-Encoding: chunked\r\n`,
        'c\r\n{"na',
      ),
    ],
    [
      'between chunks',
      request(
        'POST /api/v1/projects HTTP/1.1',
        `${jsonType}Transfer-Encoding: chunked\r\n`,
        '2\r\n{}\r\n',
      ),
    ],
    [
      'in an upload',
      request(
        'POST /api/v1/sboms/upload HTTP/1.1',
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 999\r\n',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{"bom',
      ),
    ],
  ] as const
).map(([title, raw]) => ({
  title: `a request that is cut off ${title}`,
  raw,
  halfClose: true,
  ...noHttp,
}));

const longHeaders: BadRequest[] = [
  {
    title: 'a header of 20,000 letters',
    raw: request('GET /healthz HTTP/1.1', `x: ${'y'.repeat(20_000)}\r\n`),
    ...tooLarge,
  },
  {
    title: '3,000 headers',
    raw: request('GET /healthz HTTP/1.1', `x: ${'y'.repeat(10)}\r\n`.repeat(3_000)),
    ...tooLarge,
  },
  { title: 'a path of 20,000 letters', path: `/${'x'.repeat(20_000)}`, ...tooLarge },
  {
    title: 'a query of 20,000 letters',
    path: `/api/v1/projects?x=${'y'.repeat(20_000)}`,
    ...tooLarge,
  },
  {
    title: 'a path of 20,000 letters without a key',
    path: `/api/v1/${'x'.repeat(20_000)}`,
    headers: { authorization: null },
    ...tooLarge,
  },
];

const expectations: BadRequest[] = [
  {
    title: 'an Expect that nobody can meet',
    method: 'POST',
    headers: { expect: '200-ok' },
    body: '{"name":1}',
    status: 422,
    problems: ['body.name string_type'],
  },
  {
    title: 'an empty Expect',
    headers: { expect: '' },
    status: 200,
  },
  {
    title: 'an Expect: 100-Continue in other case, and the body at once',
    method: 'POST',
    headers: { expect: '100-Continue' },
    body: '{"name":1}',
    status: 422,
    problems: ['body.name string_type'],
  },
  {
    title: 'an Expect: 100-continue without a key',
    method: 'POST',
    headers: { expect: '100-continue', authorization: null },
    body: '{"name":1}',
    status: 401,
    code: 'missing_api_key',
  },
];

const connections: BadRequest[] = [
  {
    title: 'a CONNECT to another host',
    raw: 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
    status: 405,
    code: 'method_not_allowed',
  },
  {
    title: 'a request line of HTTP/0.9, which is no mistake',
    raw: 'GET /healthz\r\nHost: x\r\n\r\n',
    status: 200,
  },
  {
    title: 'a request line of another protocol, which does no harm',
    raw: 'GET /healthz RTSP/1.0\r\nHost: x\r\n\r\n',
    status: 200,
  },
  {
    title: 'the whole server in place of a path',
    raw: request('TRACE * HTTP/1.1'),
    status: 404,
    code: 'not_found',
  },
  {
    title: 'an address of another server, which is no mistake',
    raw: request('GET http://evil.example/api/v1/projects HTTP/1.1'),
    status: 200,
  },
  {
    title: 'an address of another server for a path that is none',
    raw: request('GET http://evil.example/nothing HTTP/1.1'),
    status: 404,
    code: 'not_found',
  },
  {
    title: 'a request of HTTP/1.0 without a Host, which is no mistake',
    raw: `GET /api/v1/projects HTTP/1.0\r\n${key}\r\n`,
    status: 200,
  },
  {
    title: 'a request that comes in 40 pieces, which is no mistake',
    raw: request('GET /api/v1/projects HTTP/1.1'),
    pieces: 40,
    status: 200,
  },
  {
    title: 'a body that comes letter by letter',
    raw: request(
      'POST /api/v1/projects HTTP/1.1',
      `${jsonType}Content-Length: 10\r\n`,
      '{"name":1}',
    ),
    pieces: 60,
    status: 422,
    problems: ['body.name string_type'],
  },
  {
    title: 'chunks with an extension and a trailer',
    raw: request(
      'POST /api/v1/projects HTTP/1.1',
      `${jsonType}Transfer-Encoding: chunked\r\nTrailer: x\r\n`,
      'a;x="y"\r\n{"name":1}\r\n0\r\nx: y\r\n\r\n',
    ),
    status: 422,
    problems: ['body.name string_type'],
  },
  {
    title: 'empty lines before the request, which are no mistake',
    raw: `\r\n\r\n${request('GET /api/v1/projects HTTP/1.1')}`,
    status: 200,
  },
  {
    title: 'a second request hidden behind the body',
    raw: request(
      'POST /api/v1/projects HTTP/1.1',
      `${jsonType}Content-Length: 10\r\n`,
      '{"name":1}GET /api/v1/projects HTTP/1.1\r\n\r\n',
    ),
    ...noHttp,
  },
  {
    title: 'a connection that says nothing',
    raw: '',
    halfClose: true,
    status: null,
  },
];

export const framing: BadRequest[] = [
  ...noRequests,
  ...cutOff,
  ...longHeaders,
  ...expectations,
  ...connections,
];
