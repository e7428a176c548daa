import type { BadRequest } from './bad-request';

// Long because it is a table: an entry for each request.

const missingId = '00000000-0000-7000-8000-000000000000';
const notText: [string, unknown][] = [
  ['null', null],
  ['a number', 7],
  ['a huge number', 9007199254740993],
  ['true', true],
  ['an array', ['x']],
  ['an object', { x: 1 }],
];

/** A request whose body has one wrong field. */
interface WrongField {
  title: string;
  body: object;
  problem: string;
}

function refused(
  to: { method: string; path: string },
  what: string,
  wrong: readonly WrongField[],
): BadRequest[] {
  return wrong.map(({ title, body, problem }) => ({
    ...to,
    title: `${what} with ${title}`,
    body: JSON.stringify(body),
    status: 422,
    problems: [problem],
  }));
}

const newProject = { method: 'POST', path: '/api/v1/projects' };
const project = { method: 'PATCH', path: '/api/v1/projects/$PROJECT' };
const acceptance = { method: 'POST', path: '/api/v1/vulnerabilities/acceptances' };

const newProjects = refused(newProject, 'a new project', [
  ...notText.map(([title, name]) => ({
    title: `${title} as its name`,
    body: { name },
    problem: 'body.name string_type',
  })),
  ...['', ' ', '\t\n', '\u00a0'].map((name) => ({
    title: `${JSON.stringify(name)} as its name`,
    body: { name },
    problem: 'body.name string_too_short',
  })),
  ...[
    ['256 letters', 'x'.repeat(256)],
    ['256 emoji', '😀'.repeat(256)],
    ['256 letters and blanks around them', ` ${'x'.repeat(256)} `],
    ['100,000 letters', 'x'.repeat(100_000)],
  ].map(([title, name]) => ({
    title: `${title} as its name`,
    body: { name },
    problem: 'body.name string_too_long',
  })),
  ...notText.slice(1).map(([title, description]) => ({
    title: `${title} as its description`,
    body: { name: 'x', description },
    problem: 'body.description string_type',
  })),
  ...notText.slice(1).map(([title, platform]) => ({
    title: `${title} as its platform`,
    body: { name: 'x', platform },
    problem: 'body.platform string_type',
  })),
  {
    title: 'a platform of 51 letters',
    body: { name: 'x', platform: 'x'.repeat(51) },
    problem: 'body.platform string_too_long',
  },
  {
    title: 'a number as its repository',
    body: { name: 'x', repo_url: 1 },
    problem: 'body.repo_url string_type',
  },
  {
    title: 'a repository of 1,025 letters',
    body: { name: 'x', repo_url: `https://example.org/${'x'.repeat(1005)}` },
    problem: 'body.repo_url string_too_long',
  },
  {
    title: 'a retention that is a list',
    body: { name: 'x', retention: [] },
    problem: 'body.retention dict_type',
  },
  {
    title: 'a retention of no SBOM at all',
    body: { name: 'x', retention: { keep_last: 0 } },
    problem: 'body.retention.keep_last greater_than_equal',
  },
  {
    title: 'a retention of half a day',
    body: { name: 'x', retention: { keep_days: 0.5 } },
    problem: 'body.retention.keep_days int_type',
  },
]);

const surrogates: BadRequest[] = ['name', 'description', 'platform'].map((name) => ({
  ...newProject,
  title: `a new project with half of a surrogate pair in its ${name}`,
  body: JSON.stringify({ name: 'x', [name]: 'HALF' }).replace('HALF', 'a\\ud800b'),
  status: 422,
  problems: [`body.${name} string_unicode`],
}));

const changedProjects = refused(project, 'a change of a project', [
  { title: 'an empty name', body: { name: '' }, problem: 'body.name string_too_short' },
  {
    title: 'a name of 256 letters',
    body: { name: 'x'.repeat(256) },
    problem: 'body.name string_too_long',
  },
  { title: 'a boolean as its name', body: { name: false }, problem: 'body.name string_type' },
  {
    title: 'a platform of 51 emoji',
    body: { platform: '😀'.repeat(51) },
    problem: 'body.platform string_too_long',
  },
]);

const good = {
  project_id: '$PROJECT',
  vulnerability_id: '$VULNERABILITY',
  reason: 'Known, and harmless here.',
};

const acceptances: BadRequest[] = [
  ...refused(acceptance, 'an acceptance', [
    ...notText.map(([title, reason]) => ({
      title: `${title} as its reason`,
      body: { ...good, reason },
      problem: 'body.reason string_type',
    })),
    {
      title: 'an empty reason',
      body: { ...good, reason: '' },
      problem: 'body.reason string_too_short',
    },
    {
      title: 'a reason of 2,001 letters',
      body: { ...good, reason: 'x'.repeat(2001) },
      problem: 'body.reason string_too_long',
    },
    ...['', 'x', '$PROJECT ', '{$PROJECT}', 'urn:uuid:$PROJECT', '0'.repeat(32)].map((id) => ({
      title: `"${id}" as its project_id`,
      body: { ...good, project_id: id },
      problem: 'body.project_id uuid_parsing',
    })),
    ...notText.map(([title, id]) => ({
      title: `${title} as its vulnerability_id`,
      body: { ...good, vulnerability_id: id },
      problem: 'body.vulnerability_id uuid_type',
    })),
    {
      title: 'a number as its service_id',
      body: { ...good, service_id: 1 },
      problem: 'body.service_id uuid_type',
    },
    {
      title: 'an empty service_id',
      body: { ...good, service_id: '' },
      problem: 'body.service_id uuid_parsing',
    },
    {
      title: 'an end in the past',
      body: { ...good, expires_at: '2020-01-01T00:00:00Z' },
      problem: 'body.expires_at datetime_future',
    },
    ...[
      'tomorrow',
      '2999-01-01',
      '2999-13-01T00:00:00Z',
      '2999-02-30T00:00:00Z',
      '2999-01-01T25:00:00Z',
      '2999-01-01T00:00:00+99:00',
      '+275760-09-14T00:00:00Z',
      '',
    ].map((expires_at) => ({
      title: `"${expires_at}" as its end`,
      body: { ...good, expires_at },
      problem: 'body.expires_at datetime_from_date_parsing',
    })),
    {
      title: 'an end without an offset from UTC',
      body: { ...good, expires_at: '2999-01-01T00:00:00' },
      problem: 'body.expires_at timezone_aware',
    },
    {
      title: 'a number as its end',
      body: { ...good, expires_at: 32503680000 },
      problem: 'body.expires_at datetime_type',
    },
  ]),
  {
    ...acceptance,
    title: 'an acceptance with every field wrong',
    body: '{"project_id":1,"vulnerability_id":"x","service_id":[],"reason":"","expires_at":"x"}',
    status: 422,
    problems: [
      'body.project_id uuid_type',
      'body.vulnerability_id uuid_parsing',
      'body.service_id uuid_type',
      'body.reason string_too_short',
      'body.expires_at datetime_from_date_parsing',
    ],
  },
  ...(
    [
      ['a project that does not exist', { project_id: missingId }, 'project_not_found'],
      [
        'a vulnerability that does not exist',
        { vulnerability_id: missingId },
        'vulnerability_not_found',
      ],
      ['a service that does not exist', { service_id: missingId }, 'service_not_found'],
      [
        'the id of an SBOM as its vulnerability',
        { vulnerability_id: '$SBOM' },
        'vulnerability_not_found',
      ],
      ['the vulnerability of another project', { project_id: '$EMPTY' }, 'vulnerability_not_found'],
    ] as const
  ).map(([title, change, code]) => ({
    ...acceptance,
    title: `an acceptance for ${title}`,
    body: JSON.stringify({ ...good, ...change }),
    status: 404,
    code,
  })),
];

const accepted: BadRequest[] = [
  ...(
    [
      ['a name of 255 emoji', { name: '😀'.repeat(255) }],
      ['a null byte in its name', { name: 'null\u0000byte' }],
      ['a name that reverses the direction of writing', { name: '\u202egnp.exe' }],
      ['markup as its name', { name: '<script>alert(1)</script>' }],
      ['a database operator as its description', { name: 'op', description: '{"$gt":""}' }],
      ['constructor as its name', { name: 'constructor' }],
      ['__proto__ as its name', { name: '__proto__' }],
      ['a name without a letter for the slug', { name: '!!!' }],
      ['a number in a field that nobody knows', { name: 'unknown field', xyz: 1 }],
    ] as const
  ).map(([title, body]) => ({
    ...newProject,
    title: `a new project with ${title}, which is no mistake`,
    body: JSON.stringify(body),
    status: 201,
  })),
  {
    ...newProject,
    title: 'a new project with two names, of which the last counts',
    body: '{"name":"first","name":"$PROJECTNAME"}',
    status: 409,
    code: 'project_name_taken',
  },
  {
    ...newProject,
    title: 'a new project with a name that is taken but for case and blanks',
    body: '{"name":"  \\u0042AD REQUESTS "}',
    status: 409,
    code: 'project_name_taken',
  },
];

export const fields: BadRequest[] = [
  ...newProjects,
  ...surrogates,
  ...changedProjects,
  ...acceptances,
  ...accepted,
  ...[
    'javascript:alert(1)',
    'not a url',
    '//example.org/x',
    'https://',
    'http://[::1',
    'https://exa mple.org',
    'git@',
  ].map((repo_url) => ({
    ...newProject,
    title: `a new project with ${repo_url} as its repository`,
    body: JSON.stringify({ name: 'x', repo_url }),
    status: 422,
    problems: ['body.repo_url url_parsing'],
  })),
  ...['file:///etc/passwd', 'ftp://example.org/x', 'gopher://x', 'https+git://x/y'].map(
    (repo_url) => ({
      ...newProject,
      title: `a new project with ${repo_url} as its repository`,
      body: JSON.stringify({ name: 'x', repo_url }),
      status: 422,
      problems: ['body.repo_url url_scheme'],
    }),
  ),
];
