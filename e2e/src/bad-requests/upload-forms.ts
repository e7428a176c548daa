import { gzipSync } from 'node:zlib';
import type { BadRequest } from './bad-request';
import { field, file, multipart, multipartType, type Part } from './multipart';

// Long because it is a table: an entry for each request.

const path = '/api/v1/sboms/upload';
const to = { method: 'POST', path, headers: { 'content-type': multipartType } };
const project = field('project_id', '$PROJECT');
const sbom = file('{"bomFormat":"CycloneDX","specVersion":"1.5","components":[]}');
const tooMuch = { status: 413, code: 'payload_too_large' };
const missingId = '00000000-0000-7000-8000-000000000000';

/** Forms with the wrong fields. */
const fields: BadRequest[] = (
  [
    ['no field at all', [], ['body.project_id missing', 'body.file missing']],
    ['no project', [sbom], ['body.project_id missing']],
    ['no file', [project], ['body.file missing']],
    ['two files', [project, sbom, sbom], ['body.file value_error']],
    ['ten files', [project, ...Array<Part>(10).fill(sbom)], ['body.file value_error']],
    ['the file as a text field', [project, field('file', '{}')], ['body.file missing']],
    ['a file without a file name', [project, file('{}', 'file', '')], ['body.file missing']],
    ['the file under another name', [project, file('{}', 'sbom')], ['body.file missing']],
    ['the file under a name in upper case', [project, file('{}', 'FILE')], ['body.file missing']],
    ['an array of files', [project, file('{}', 'file[]')], ['body.file missing']],
    [
      'both names of a project',
      [project, field('project_slug', 'x'), sbom],
      ['body.project_id value_error'],
    ],
    ['an empty project', [field('project_id', ''), sbom], ['body.project_id missing']],
    [
      'an empty project of either kind',
      [field('project_id', ''), field('project_slug', ''), sbom],
      ['body.project_id missing'],
    ],
    [
      'a project that is no UUID',
      [field('project_id', 'x'), sbom],
      ['body.project_id uuid_parsing'],
    ],
    [
      'a project with a blank',
      [field('project_id', '$PROJECT '), sbom],
      ['body.project_id uuid_parsing'],
    ],
    [
      'a project with a line break',
      [field('project_id', '$PROJECT\r\n'), sbom],
      ['body.project_id uuid_parsing'],
    ],
    [
      'a project with a null byte',
      [field('project_id', '$PROJECT\0'), sbom],
      ['body.project_id uuid_parsing'],
    ],
    ['a project as a file', [file('$PROJECT', 'project_id'), sbom], ['body.project_id missing']],
    [
      'two projects, the last one wrong',
      [project, field('project_id', 'x'), sbom],
      ['body.project_id value_error'],
    ],
    ['the same project twice', [project, project, sbom], ['body.project_id value_error']],
    [
      'two versions and two services',
      [
        project,
        ...['1', '2'].flatMap((n) => [field('version', n), field('service_name', n)]),
        sbom,
      ],
      ['body.version value_error', 'body.service_name value_error'],
    ],
    [
      'a project in an object',
      [field('project_id[$ne]', 'x'), sbom],
      ['body.project_id uuid_type'],
    ],
    [
      'the project in __proto__',
      [field('__proto__[project_id]', '$PROJECT'), sbom],
      ['body.project_id missing'],
    ],
    [
      'a version of 256 letters',
      [project, field('version', 'x'.repeat(256)), sbom],
      ['body.version string_too_long'],
    ],
    [
      'a version of 256 emoji',
      [project, field('version', '😀'.repeat(256)), sbom],
      ['body.version string_too_long'],
    ],
    [
      'a service name of 256 letters',
      [project, field('service_name', 'x'.repeat(256)), sbom],
      ['body.service_name string_too_long'],
    ],
    [
      'a version in an object',
      [project, field('version[a]', 'x'), sbom],
      ['body.version string_type'],
    ],
    [
      'everything wrong at once',
      [
        field('project_id', 'x'),
        field('version', 'x'.repeat(300)),
        field('service_name', 'x'.repeat(300)),
      ],
      [
        'body.project_id uuid_parsing',
        'body.version string_too_long',
        'body.service_name string_too_long',
        'body.file missing',
      ],
    ],
  ] as const
).map(([title, parts, problems]) => ({
  ...to,
  title: `an upload with ${title}`,
  body: multipart(parts),
  status: 422,
  problems,
}));

const sizes: BadRequest[] = [
  {
    ...to,
    title: 'an upload of 1,001 parts',
    body: multipart([...Array<Part>(999).fill(file('', 'other')), project, sbom]),
    ...tooMuch,
  },
  {
    ...to,
    title: 'an upload of 101 fields',
    body: multipart([...Array<Part>(101).fill(field('x', 'y')), project, sbom]),
    ...tooMuch,
  },
  {
    ...to,
    title: 'an upload with a field of 256 KiB and a byte',
    body: multipart([field('x', 'y'.repeat(256 * 1024 + 1)), project, sbom]),
    ...tooMuch,
  },
  {
    ...to,
    title: 'an upload with a field whose name has 257 letters',
    body: multipart([field('x'.repeat(257), 'y'), project, sbom]),
    ...tooMuch,
  },
  {
    ...to,
    title: 'an upload with a file that is a byte too large',
    body: multipart([project, file(Buffer.alloc(2 * 1024 * 1024 + 1, 0x20))]),
    ...tooMuch,
  },
  {
    ...to,
    title: "an upload with a gzip'd file that is too large when it is unpacked",
    body: multipart([project, file(gzipSync(Buffer.alloc(200_000_000, 0x20)))]),
    ...tooMuch,
  },
  {
    ...to,
    title: "an upload of a gzip'd body with a file that is too large",
    headers: { ...to.headers, 'content-encoding': 'gzip' },
    body: gzipSync(multipart([project, file(Buffer.alloc(50_000_000, 0x20))])),
    ...tooMuch,
  },
];

const others: BadRequest[] = [
  {
    ...to,
    title: 'an upload into a project that does not exist',
    body: multipart([field('project_id', missingId), sbom]),
    status: 404,
    code: 'project_not_found',
  },
  {
    ...to,
    title: 'an upload into a slug that does not exist',
    body: multipart([field('project_slug', '../$PROJECT'), sbom]),
    status: 404,
    code: 'project_not_found',
  },
  {
    ...to,
    title: 'an upload into a slug of 200,000 letters',
    body: multipart([field('project_slug', 'x'.repeat(200_000)), sbom]),
    status: 404,
    code: 'project_not_found',
  },
  ...(
    [
      ['service_name', 'in Latin-1', Buffer.from('k\xe4se', 'latin1')],
      ['service_name', 'that is cut off in a letter', Buffer.from([0x6b, 0xc3])],
      ['version', 'that is no UTF-8', Buffer.from([0xff, 0xfe, 0x31])],
      ['project_slug', 'with a surrogate in UTF-8', Buffer.from('a\xed\xa0\x80', 'latin1')],
    ] as const
  ).map(([name, title, value]) => ({
    ...to,
    title: `an upload with a ${name} ${title}`,
    body: multipart(
      name === 'project_slug' ? [field(name, value), sbom] : [project, field(name, value), sbom],
    ),
    status: 422,
    problems: [`body.${name} string_unicode`],
  })),
  ...(
    [
      ['a file name that climbs', [project, file('$SBOMTEXT', 'file', '../../../etc/passwd')]],
      [
        'a file name with a null byte in percent-encoding',
        [project, file('$SBOMTEXT', 'file', 'a%00b')],
      ],
      ['a file name of 4,000 letters', [project, file('$SBOMTEXT', 'file', 'x'.repeat(4_000))]],
      [
        'a name in single quotes',
        [
          { ...project, headers: 'Content-Disposition: form-data; name=project_id' },
          file('$SBOMTEXT'),
        ],
      ],
      [
        'a part of another disposition',
        [
          { headers: 'Content-Disposition: attachment; name="project_id"', body: 'x' },
          project,
          file('$SBOMTEXT'),
        ],
      ],
      [
        'a part without a disposition',
        [{ headers: 'X: y', body: 'x' }, project, file('$SBOMTEXT')],
      ],
      [
        'a multipart in a part',
        [
          {
            headers:
              'Content-Disposition: form-data; name="x"\r\nContent-Type: multipart/mixed; boundary=y',
            body: '--y\r\n\r\n--y--',
          },
          project,
          file('$SBOMTEXT'),
        ],
      ],
      [
        'a part that says it is base64',
        [
          project,
          { ...file('$SBOMTEXT'), headers: `${sbom.headers}\r\nContent-Transfer-Encoding: base64` },
        ],
      ],
      [
        'a field named __proto__',
        [field('__proto__', 'x'), field('constructor', 'x'), project, file('$SBOMTEXT')],
      ],
      [
        'a file of another type',
        [
          project,
          {
            headers: `${sbom.headers.replace('application/json', 'image/png')}`,
            body: '$SBOMTEXT',
          },
        ],
      ],
      [
        'a service name that looks like a path',
        [project, field('service_name', '../../x'), file('$SBOMTEXT')],
      ],
      [
        'a version in UTF-16, which holds null bytes',
        [project, field('version', Buffer.from('1.0', 'utf16le')), file('$SBOMTEXT')],
      ],
      ['a null byte in its version', [project, field('version', 'a\0b'), file('$SBOMTEXT')]],
    ] as const
  ).map(([title, parts]) => ({
    ...to,
    title: `an upload with ${title}, which is no mistake`,
    body: multipart(parts),
    status: 201,
  })),
  {
    ...to,
    title: 'an upload with text before the first boundary and after the last, which is no mistake',
    body: Buffer.concat([
      Buffer.from('preamble\r\n'),
      multipart([project, file('$SBOMTEXT')]),
      Buffer.from('epilogue'),
    ]),
    status: 201,
  },
];

export const uploadForms: BadRequest[] = [...fields, ...sizes, ...others];
