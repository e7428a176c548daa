import type { BadRequest } from './bad-request';

const projects = '/api/v1/projects';
const active = '/api/v1/vulnerabilities/active';
const packages = '/api/v1/search/packages';
const missingId = '00000000-0000-7000-8000-000000000000';

function wrongQuery(path: string, wrong: readonly (readonly [string, string])[]): BadRequest[] {
  return wrong.map(([query, problem]) => ({
    title: `${path}?${shown(query)}`,
    path: `${path}?${query}`,
    status: 422,
    problems: [problem],
  }));
}

function shown(query: string): string {
  return query.length > 60 ? `${query.slice(0, 40)}… (${query.length} letters)` : query;
}

/** Filters and pages that no list has. */
const refused: BadRequest[] = [
  ...wrongQuery(projects, [
    ...['0', '-1', '-0', '-9007199254740993', `-${'9'.repeat(400)}`].map(
      (page) => [`page=${page}`, 'query.page greater_than_equal'] as const,
    ),
    ...['9007199254740992', '9007199254740993', '9'.repeat(400)].map(
      (page) => [`page=${page}`, 'query.page less_than_equal'] as const,
    ),
    ...[
      '',
      'x',
      '1.0',
      '1.5',
      '1e2',
      '1e400',
      '0x10',
      '1_000',
      '1,000',
      '1;2',
      '%201',
      '1%20',
      '%00',
      '1%00',
      '%zz',
      '%ff',
      '%D9%A1',
      'true',
      'null',
      '[1]',
      'NaN',
      'Infinity',
      "1'%20OR%20'1'='1",
    ].map((page) => [`page=${page}`, 'query.page int_parsing'] as const),
    ['per_page=0', 'query.per_page greater_than_equal'],
    ['per_page=201', 'query.per_page less_than_equal'],
    ['per_page=-1', 'query.per_page greater_than_equal'],
    ['per_page=all', 'query.per_page int_parsing'],
    ['page=1&page=x', 'query.page value_error'],
    ['page=1&page=0', 'query.page value_error'],
    ['name=k%e4se', 'query.name string_unicode'],
    ['name=%ED%A0%80', 'query.name string_unicode'],
    ['slug=%ff%fe', 'query.slug string_unicode'],
    ['platform=%c3', 'query.platform string_unicode'],
  ]),
  ...wrongQuery(active, [
    ['severity=dangerous', 'query.severity enum'],
    ['severity=critical,dangerous', 'query.severity enum'],
    ['severity=critical;high', 'query.severity enum'],
    ['severity=critical&severity=dangerous', 'query.severity enum'],
    ['severity[$ne]=low&severity=%24ne', 'query.severity enum'],
    ['sort=id', 'query.sort enum'],
    ['sort=', 'query.sort enum'],
    ['sort=CVSS_SCORE', 'query.sort enum'],
    ['sort=__proto__', 'query.sort enum'],
    ['sort=cvss_score,cve_id', 'query.sort enum'],
    ['order=ASC', 'query.order enum'],
    ['order=', 'query.order enum'],
    ['project_id=1', 'query.project_id uuid_parsing'],
    ['project_id=null', 'query.project_id uuid_parsing'],
    [`project_id=%7B${missingId}%7D`, 'query.project_id uuid_parsing'],
    [`project_id=${missingId}%20`, 'query.project_id uuid_parsing'],
    [`project_id=${missingId}%00`, 'query.project_id uuid_parsing'],
    [`project_id=${missingId}&project_id=x`, 'query.project_id value_error'],
    ['sort=cve_id&sort=cve_id', 'query.sort value_error'],
    [`project_id=${'0'.repeat(4_000)}`, 'query.project_id uuid_parsing'],
    ['service_id=x', 'query.service_id uuid_parsing'],
    ['cve_id=%ff', 'query.cve_id string_unicode'],
  ]),
  ...wrongQuery(packages, [
    ['', 'query.purl missing'],
    ['purl=&name=', 'query.purl missing'],
    ['version=1', 'query.purl missing'],
    ['purl=pkg:npm/a&purl[]=pkg:npm/a', 'query.purl[] extra_forbidden'],
    ['name[$ne]=x&name=%24where', 'query.name[$ne] extra_forbidden'],
    ['name=a&name=a', 'query.name value_error'],
    ['purl=pkg:npm/a&name=a', 'query.purl value_error'],
    ...['a', 'pkg:', 'pkg:npm', 'pkg:npm/', 'npm/a@1', 'pkg%3Anpm', '%00', 'cpe:2.3:a:b:c'].map(
      (purl) => [`purl=${purl}`, 'query.purl value_error'] as const,
    ),
    ['purl=%ff', 'query.purl value_error'],
    [`purl=pkg:npm/${'a'.repeat(2_048)}`, 'query.purl string_too_long'],
    [`name=${'a'.repeat(2_049)}`, 'query.name string_too_long'],
    ['name=k%e4se', 'query.name string_unicode'],
    [`name=a&version=${'1'.repeat(1_025)}`, 'query.version string_too_long'],
    ['purl=pkg:npm/a@1&version=2', 'query.version value_error'],
    ['name=a&project_id=x', 'query.project_id uuid_parsing'],
    ['name=a&per_page=201', 'query.per_page less_than_equal'],
  ]),
  ...wrongQuery('/api/v1/sboms/$SBOM/coverage', [
    ['reason=none', 'query.reason enum'],
    ['reasons=no_purl', 'query.reasons extra_forbidden'],
    ['reason=NO_PURL', 'query.reason enum'],
    ['reason=no_purl,no_version', 'query.reason enum'],
    ['page=0', 'query.page greater_than_equal'],
  ]),
  ...wrongQuery('/api/v1/search/vulnerabilities/CVE-2021-44228', [
    ['project_id=x', 'query.project_id uuid_parsing'],
    ['page=x', 'query.page int_parsing'],
  ]),
  ...wrongQuery('/api/v1/services', [
    ['', 'query.project_id missing'],
    ['project_id=', 'query.project_id missing'],
    ['project_id[]=x', 'query.project_id missing'],
    ['Project_Id=$PROJECT', 'query.project_id missing'],
    ['project_id', 'query.project_id missing'],
    ['project_id=x', 'query.project_id uuid_parsing'],
  ]),
  ...wrongQuery('/api/v1/vulnerabilities/summary', [
    ['project_id=x', 'query.project_id uuid_parsing'],
    ['service_id=%F0%9F%98%80', 'query.service_id uuid_parsing'],
  ]),
  ...wrongQuery('/api/v1/vulnerabilities/acceptances', [
    ['project_id=x', 'query.project_id uuid_parsing'],
    ['per_page=1.0', 'query.per_page int_parsing'],
  ]),
  ...wrongQuery('/api/v1/projects/$PROJECT/history', [
    ['page=0', 'query.page greater_than_equal'],
    ['per_page=201', 'query.per_page less_than_equal'],
  ]),
  {
    title: 'every parameter of the active list wrong at once',
    path: `${active}?page=0&per_page=999&severity=x&project_id=x&service_id=x&sort=x&order=x`,
    status: 422,
    problems: [
      'query.page greater_than_equal',
      'query.per_page less_than_equal',
      'query.severity enum',
      'query.project_id uuid_parsing',
      'query.service_id uuid_parsing',
      'query.sort enum',
      'query.order enum',
    ],
  },
];

/** Odd queries that the contract takes: what is unknown is ignored, what is empty is not given. */
const taken: BadRequest[] = [
  'page=9007199254740991&per_page=200',
  'page=%2B1',
  'page=0001',
  'page[]=0&per_page[a]=x',
  '__proto__[page]=0&constructor=x',
  '__proto__=x&page=1',
  '&&&=&=x&page',
  '?page=0',
  'name=%00',
  'name=(((((((((a%2B)%2B)%2B)%2B)%2B)%2B)%2B)%2B)$',
  'name[$regex]=.*',
  'name=$where:sleep(5000)',
  'slug=../../etc/passwd',
  'slug=%00',
  'platform=%00',
  `name=${'('.repeat(15_000)}`,
  `platform=${'('.repeat(15_000)}`,
  `name=${'%EF%AC%83'.repeat(1_500)}`,
  'platform=%zz',
  `x=${'y'.repeat(12_000)}`,
  `${'a=1&'.repeat(2_000)}b=2`,
].map((query) => ({
  title: `${projects}?${shown(query)}, which is no mistake`,
  path: `${projects}?${query}`,
  status: query.endsWith('&page') ? 422 : 200,
  ...(query.endsWith('&page') ? { problems: ['query.page int_parsing'] } : {}),
}));

const takenFilters: BadRequest[] = [
  'severity=,,%20,',
  'severity=CRITICAL,critical&severity=High',
  'project_id=&service_id=&cve_id=&severity=',
  'cve_id=%00',
  'cve_id[$gt]=',
  'cve_id=.*',
  `service_id=${missingId.toUpperCase()}`,
  'page=9007199254740991',
].map((query) => ({
  title: `${active}?${query}, which is no mistake`,
  path: `${active}?${query}`,
  status: 200,
}));

const takenSearches: BadRequest[] = [
  'name=%00',
  'name=.*',
  'name=(((((((((a%2B)%2B)%2B)%2B)%2B)%2B)%2B)%2B)$',
  `name=${'%EF%AC%83'.repeat(600)}`,
  'name=__proto__&version=constructor',
  'purl=pkg:npm/__proto__',
  'purl=pkg:npm/%2500@%2500',
  'purl=pkg:npm/a@%24%7Bversion%7D',
  'purl=PKG:NPM/LODASH@4.17.15',
  'purl=pkg:npm/../../x@1?a=b%26c=d%23sub',
  `purl=pkg:npm/${'a/'.repeat(1_000)}b`,
  'purl=pkg:deb/debian/curl@1:2.3-4%2Bdeb12u1?distro=debian-12%26arch=amd64',
  'purl=pkg:x/y&page=9007199254740991&per_page=200',
  `name=a&project_id=${missingId}`,
].map((query) => ({
  title: `${packages}?${shown(query)}, which is no mistake`,
  path: `${packages}?${query}`,
  status: 200,
}));

const oddIds: BadRequest[] = ['%00', '.*', '$ne', '__proto__', 'a%2Fb', '%C3%BC', '%20', "'"].map(
  (id) => ({
    title: `an advisory called ${id}`,
    path: `/api/v1/search/vulnerabilities/${id}`,
    status: 404,
    code: 'advisory_not_found',
  }),
);

export const queries: BadRequest[] = [
  ...refused,
  ...taken,
  ...takenFilters,
  ...takenSearches,
  ...oddIds,
];
