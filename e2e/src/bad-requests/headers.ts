import type { BadRequest } from './bad-request';

const otherSecret = 'A'.repeat(43);

/** Ways to say who one is that do not say it. */
const missingKeys: BadRequest[] = (
  [
    ['no Authorization header', null],
    ['an empty Authorization header', ''],
    ['the scheme alone', 'Bearer'],
    ['the scheme and blanks', 'Bearer    '],
    ['the key alone', '$KEY'],
    ['Basic', 'Basic dXNlcjpwYXNz'],
    ['the key as Basic', 'Basic $KEY'],
    ['the key as a Token', 'Token $KEY'],
    ['the key as a Digest', 'Digest $KEY'],
    ['a colon after the scheme', 'Bearer: $KEY'],
    ['no blank after the scheme', 'Bearer$KEY'],
    ['an equals sign', 'Bearer=$KEY'],
    ['a tab after the scheme', 'Bearer\t$KEY'],
    ['a no-break space after the scheme', 'Bearer\u00a0$KEY'],
    ['two keys', 'Bearer $KEY $KEY'],
    ['the scheme twice', 'Bearer Bearer $KEY'],
    ['a comma list of schemes', 'Basic x, Bearer $KEY'],
    ['a scheme that begins alike', 'Bearerx $KEY'],
    ['letters before the scheme', 'x Bearer $KEY'],
  ] as const
).map(([title, authorization]) => ({
  title: `${title} in place of the key`,
  headers: { authorization },
  status: 401,
  code: 'missing_api_key',
}));

/** Keys that are none of ours. */
const wrongKeys: BadRequest[] = (
  [
    ['a word', 'x'],
    ['the key in upper case', '$UPPERKEY'],
    ['the key without its end', '$SHORTKEY'],
    ['the key and a letter', '$KEYx'],
    ['the key and a comma', '$KEY,'],
    ['the key in quotes', '"$KEY"'],
    ['the key in angle brackets', '<$KEY>'],
    ['the key with a null character in percent-encoding', '$KEY%00'],
    ["the key's first half with another secret", `$KEYHEAD_${otherSecret}`],
    ["the key's first half alone", '$KEYHEAD'],
    ["the key's first half with an empty secret", '$KEYHEAD_'],
    ['a key of the right form', `bt_AAAAAAAAAAAA_${otherSecret}`],
    ['a key with __proto__ as its name', `bt___proto__xxxx_${otherSecret}`],
    ['a database operator', '{"$gt":""}'],
    ['a JSON Web Token without a signature', 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'],
    ['a byte beyond ASCII', 'k\u00e4se'],
    ['10,000 letters', 'x'.repeat(10_000)],
  ] as const
).map(([title, key]) => ({
  title: `${title} as the key`,
  headers: { authorization: `Bearer ${key}` },
  status: 401,
  code: 'invalid_api_key',
}));

/** A key is asked for before anything else is looked at. */
const keyFirst: BadRequest[] = (
  [
    ['GET', '/api/v1/projects/x'],
    ['GET', '/api/v1/nothing'],
    ['GET', '/api/v1'],
    ['GET', '/api/v1/'],
    ['GET', '/api/v1//projects'],
    ['GET', '/api/v1/%zz'],
    ['GET', '/api/v1/projects?page=0'],
    ['GET', '/api/v1/projects?authorization=Bearer%20$KEY&api_key=$KEY&access_token=$KEY'],
    ['TRACE', '/api/v1/projects'],
    ['PROPFIND', '/api/v1/projects'],
    ['OPTIONS', '/api/v1/projects'],
    ['DELETE', '/api/v1/sboms/$SBOM'],
    ['GET', 'http://localhost/api/v1/projects'],
  ] as const
).map(([method, path]) => ({
  title: `${method} ${path} without a key`,
  method,
  path,
  headers: { authorization: null },
  status: 401,
  code: 'missing_api_key',
}));

const keyInBody: BadRequest[] = [
  {
    title: 'an upload without a key',
    method: 'POST',
    path: '/api/v1/sboms/upload',
    headers: { authorization: null, 'content-type': 'multipart/form-data; boundary=x' },
    body: 'x'.repeat(100_000),
    status: 401,
    code: 'missing_api_key',
  },
  {
    title: 'a key in a cookie',
    headers: { authorization: null, cookie: 'api_key=$KEY; Authorization=Bearer $KEY' },
    status: 401,
    code: 'missing_api_key',
  },
  {
    title: 'a key in X-Api-Key',
    headers: { authorization: null, 'x-api-key': '$KEY', 'proxy-authorization': 'Bearer $KEY' },
    status: 401,
    code: 'missing_api_key',
  },
  {
    title: 'two keys in two headers, the first one wrong',
    headers: { authorization: 'Bearer x' },
    moreHeaders: [['authorization', 'Bearer $KEY']],
    status: 401,
    code: 'invalid_api_key',
  },
];

/** Headers that a server might trip over and need not. */
const harmless: BadRequest[] = (
  [
    ['a request id with a tab', { 'x-request-id': 'a\tb' }],
    ['a request id of 129 letters', { 'x-request-id': 'x'.repeat(129) }],
    ['a request id beyond ASCII', { 'x-request-id': 'k\u00e4se' }],
    ['an empty request id', { 'x-request-id': '' }],
    ['markup as request id', { 'x-request-id': '<script>' }],
    ['a traceparent that is none', { traceparent: '00-zz-zz-zz' }],
    ['a traceparent of 8,000 letters', { traceparent: '0'.repeat(8_000) }],
    ['a tracestate that is none', { tracestate: '=,=,=' }],
    ['an Accept that we cannot serve', { accept: 'image/png' }],
    ['an Accept that is none', { accept: ';;;q=q' }],
    ['an Accept-Encoding that is none', { 'accept-encoding': ';q=-1,,\u00ff' }],
    ['an Accept-Encoding that forbids all', { 'accept-encoding': 'identity;q=0, *;q=0' }],
    ['a Range', { range: 'bytes=0-0' }],
    ['a Range that is none', { range: 'bytes=9-1,x' }],
    ['If-None-Match of anything', { 'if-none-match': '*' }],
    ['an If-Match that is none', { 'if-match': '"x' }],
    ['an If-Modified-Since that is none', { 'if-modified-since': 'yesterday' }],
    ['a Host that is none', { host: 'a b/c?d#e@f' }],
    ['an empty Host', { host: '' }],
    ['another Host', { host: 'evil.example' }],
    ['forwarding headers that are none', { 'x-forwarded-for': "';--", forwarded: '=' }],
    ['an upgrade to WebSocket', { connection: 'upgrade, close', upgrade: 'websocket' }],
    ['an upgrade to HTTP/2', { connection: 'upgrade, close', upgrade: 'h2c' }],
    ['a Cookie that is none', { cookie: '=;=;__proto__=x' }],
    ['a header named __proto__', { __proto__x: 'x', ['__proto__']: 'x' }],
    ['a header named constructor', { constructor: 'x', tostring: 'x' }],
    ['an Origin of null', { origin: 'null' }],
  ] as [string, Record<string, string>][]
).map(([title, headers]) => ({
  title: `${title}, which is no mistake`,
  headers,
  status: 200,
}));

export const headers: BadRequest[] = [
  ...missingKeys,
  ...wrongKeys,
  ...keyFirst,
  ...keyInBody,
  ...harmless,
];
