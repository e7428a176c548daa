import { gzipSync } from 'node:zlib';
import type { BadRequest } from './bad-request';
import { boundary, field, file, multipart, multipartType } from './multipart';

const path = '/api/v1/sboms/upload';
const to = { method: 'POST', path, headers: { 'content-type': multipartType } };
const project = field('project_id', '$PROJECT');
const sbom = file('{"bomFormat":"CycloneDX","specVersion":"1.5","components":[]}');
const broken = { status: 400, code: 'malformed_multipart' };
const good = multipart([project, sbom]);

/** Bodies that are no multipart, or are one that is broken. */
const malformed: BadRequest[] = (
  [
    ['text', 'x'],
    ['JSON', '{"project_id":"$PROJECT"}'],
    ['a line break', '\r\n'],
    ['the first boundary alone', `--${boundary}`],
    ['the first boundary and its line break', `--${boundary}\r\n`],
    ['another boundary', good.toString().replaceAll(boundary, 'other')],
    ['a boundary without dashes', good.toString().replaceAll(`--${boundary}`, boundary)],
    ['no final boundary', multipart([project, sbom], '')],
    ['half of the final boundary', multipart([project, sbom], `--${boundary.slice(0, 9)}`)],
    ['a final boundary without its last dashes', multipart([project, sbom], `--${boundary}`)],
    [
      'the file alone, cut off in its headers',
      `--${boundary}\r\nContent-Disposition: form-data; name="fi`,
    ],
    ['the file alone, cut off after its headers', `--${boundary}\r\n${sbom.headers}\r\n\r\n`],
    ['a field that is cut off', multipart([project, sbom]).subarray(0, 110)],
    ['the file cut off', multipart([project, sbom]).subarray(0, -80)],
    ['line feeds alone', good.toString().replaceAll('\r\n', '\n')],
    [
      'a header of a part without a colon',
      multipart([project, { ...sbom, headers: `x\r\n${sbom.headers}` }]),
    ],
    [
      'a header of a part without a name',
      multipart([project, { ...sbom, headers: `: x\r\n${sbom.headers}` }]),
    ],
    [
      'a header of a part with a null byte',
      multipart([project, { ...sbom, headers: `${sbom.headers}\0` }]),
    ],
    [
      'a header of a part of 20,000 letters',
      multipart([project, { ...sbom, headers: `${sbom.headers}\r\nX: ${'y'.repeat(20_000)}` }]),
    ],
    [
      '3,000 headers in a part',
      multipart([project, { ...sbom, headers: `${sbom.headers}${'\r\nX: y'.repeat(3_000)}` }]),
    ],
    ['a field with an empty name', multipart([project, field('', 'x'), sbom])],
    [
      'a field without a name',
      multipart([project, { headers: 'Content-Disposition: form-data', body: 'x' }, sbom]),
    ],
    ['a file without a name', multipart([project, file('x', '')])],
  ] as const
).map(([title, body]) => ({ ...to, title: `an upload with ${title}`, body, ...broken }));

const types: BadRequest[] = [
  ...(
    [
      ['multipart/form-data', broken],
      ['multipart/form-data; boundary=', broken],
      ['multipart/form-data; boundary=""', broken],
      ['multipart/form-data; boundary', broken],
      ['multipart/form-data; border=x', broken],
      [`multipart/form-data; boundary="${boundary}`, broken],
    ] as const
  ).map(([type, answer]) => ({
    ...to,
    title: `an upload as ${type}`,
    headers: { 'content-type': type },
    body: good,
    ...answer,
  })),
  ...[
    'multipart/mixed',
    'multipart/related',
    'multipart/x-form-data',
    'application/json',
    'application/octet-stream',
    'application/vnd.cyclonedx+json',
    'application/x-www-form-urlencoded',
    'text/plain',
  ].map((type) => ({
    ...to,
    title: `an upload as ${type}`,
    headers: { 'content-type': `${type}; boundary=${boundary}` },
    body: good,
    status: 400,
    code: 'unsupported_media_type',
  })),
  {
    ...to,
    title: 'an upload in the content coding br',
    headers: { ...to.headers, 'content-encoding': 'br' },
    body: good,
    status: 400,
    code: 'unsupported_media_type',
  },
  {
    ...to,
    title: "an upload whose gzip'd body is cut off",
    headers: { ...to.headers, 'content-encoding': 'gzip' },
    body: gzipSync(good).subarray(0, -20),
    status: 400,
    code: 'malformed_body',
  },
  {
    ...to,
    title: "an upload whose gzip'd body is not multipart",
    headers: { ...to.headers, 'content-encoding': 'gzip' },
    body: gzipSync('x'),
    ...broken,
  },
];

const empty: BadRequest = {
  ...to,
  title: 'an upload with nothing in it',
  body: '',
  status: 422,
  problems: ['body missing'],
};

export const multipartBodies: BadRequest[] = [empty, ...malformed, ...types];
