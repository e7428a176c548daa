import fc from 'fast-check';
import { loadContract, operationsOf } from './contract';
import { dereference } from './dereference';
import { faults, validatorsIn } from './testing/validators-in';

const contract = loadContract();
const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
const other = '0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d';

const validatorsOf = validatorsIn(contract);

type Query = Record<string, string | string[] | undefined>;

describe('a path', () => {
  test.each([
    ['getProject', { project_id: id.toUpperCase() }, { project_id: id }],
    ['diffSboms', { sbom_id: id, other_id: other }, { sbom_id: id, other_id: other }],
    ['deleteAlertRule', { alert_id: id }, { alert_id: id }],
    ['testAlertRule', { alert_id: id.toUpperCase() }, { alert_id: id }],
    ['listProjects', {}, {}],
    ['getDeadLetter', { dead_letter_id: '7' }, { dead_letter_id: 7 }],
    ['listSbomCoverage', { sbom_id: id }, { sbom_id: id }],
    ['getSbomVerdict', { sbom_id: id }, { sbom_id: id }],
    ['searchVulnerability', { advisory_id: 'cve-2021-44228' }, { advisory_id: 'cve-2021-44228' }],
    ['getVulnerability', { vulnerability_id: id.toUpperCase() }, { vulnerability_id: id }],
  ])('of %s: %j is accepted', (operationId, raw, value) => {
    expect(validatorsOf(operationId).path(raw)).toEqual({ ok: true, value });
  });

  test.each([
    ['getProject', { project_id: 'x' }, ['path.project_id uuid_parsing']],
    ['listProjectHistory', { project_id: '5' }, ['path.project_id uuid_parsing']],
    ['listExploitedEvidence', { project_id: '5' }, ['path.project_id uuid_parsing']],
    [
      'diffSboms',
      { sbom_id: 'x', other_id: 'y' },
      ['path.sbom_id uuid_parsing', 'path.other_id uuid_parsing'],
    ],
    ['deleteService', { service_id: `${id} ` }, ['path.service_id uuid_parsing']],
    ['deleteAcceptance', { acceptance_id: '__proto__' }, ['path.acceptance_id uuid_parsing']],
    ['deleteApiKey', { api_key_id: 'bt_x' }, ['path.api_key_id uuid_parsing']],
    ['deleteOwnApiKey', { api_key_id: 'bt_x' }, ['path.api_key_id uuid_parsing']],
    ['getImport', { import_id: 'x' }, ['path.import_id uuid_parsing']],
    ['endSessions', { person_id: 'kim' }, ['path.person_id uuid_parsing']],
    ['getDeadLetter', { dead_letter_id: 'x' }, ['path.dead_letter_id int_parsing']],
    ['replayDeadLetter', { dead_letter_id: '0' }, ['path.dead_letter_id greater_than_equal']],
    [
      'deleteDeadLetter',
      { dead_letter_id: '9'.repeat(20) },
      ['path.dead_letter_id less_than_equal'],
    ],
    ['previewAlertRule', { alert_id: 'x' }, ['path.alert_id uuid_parsing']],
    ['listAlertDeliveries', { alert_id: '' }, ['path.alert_id uuid_parsing']],
    ['listSbomCoverage', { sbom_id: 'x' }, ['path.sbom_id uuid_parsing']],
    ['getSbomVerdict', { sbom_id: 'x' }, ['path.sbom_id uuid_parsing']],
    ['getVulnerability', { vulnerability_id: 'active' }, ['path.vulnerability_id uuid_parsing']],
    ['searchVulnerability', { advisory_id: 'x'.repeat(201) }, ['path.advisory_id string_too_long']],
  ])('of %s: %j is refused', (operationId, raw, expected) => {
    expect(faults(validatorsOf(operationId).path(raw as Record<string, string>))).toEqual(expected);
  });
});

describe('a query', () => {
  const active = { page: 1, per_page: 50, sort: 'cvss_score', order: 'desc' };
  const gate = { fail_on_kev: false, only_fixable: false, fail_on_license: false };

  test.each<[operationId: string, raw: Query, value: unknown]>([
    ['listProjects', {}, { page: 1, per_page: 25 }],
    ['listProjectHistory', {}, { page: 1, per_page: 3 }],
    ['listExploitedEvidence', {}, { page: 1, per_page: 50 }],
    ['listAcceptances', {}, { page: 1, per_page: 50 }],
    ['listAlertRules', {}, { page: 1, per_page: 25 }],
    ['listAlertDeliveries', { page: '2' }, { page: 2, per_page: 25 }],
    ['previewAlertRule', {}, {}],
    ['testAlertRule', {}, {}],
    ['listProjects', { page: '2', per_page: '200', other: 'x' }, { page: 2, per_page: 200 }],
    [
      'listProjects',
      { page: '9007199254740991', per_page: '1' },
      { page: 9007199254740991, per_page: 1 },
    ],
    ['listProjects', { name: '', slug: '', platform: '' }, { page: 1, per_page: 25 }],
    [
      'listProjects',
      { name: ' a', slug: 'b', platform: 'C' },
      { page: 1, per_page: 25, name: ' a', slug: 'b', platform: 'C' },
    ],
    ['listServices', { project_id: id.toUpperCase() }, { project_id: id }],
    ['deleteService', {}, { cascade: false }],
    ['deleteService', { cascade: 'true' }, { cascade: true }],
    ['deleteService', { cascade: 'false' }, { cascade: false }],
    ['listActiveVulnerabilities', {}, active],
    [
      'listActiveVulnerabilities',
      { severity: '', cve_id: '', project_id: '', service_id: '' },
      active,
    ],
    ['listActiveVulnerabilities', { severity: ', ,' }, active],
    [
      'listActiveVulnerabilities',
      { severity: 'Critical, HIGH,critical' },
      { ...active, severity: ['critical', 'high'] },
    ],
    [
      'listActiveVulnerabilities',
      { severity: ['low', 'none,unknown'] },
      { ...active, severity: ['low', 'none', 'unknown'] },
    ],
    [
      'listActiveVulnerabilities',
      { cve_id: 'cve-2021-44228', sort: 'epss_score', order: 'asc' },
      { ...active, cve_id: 'cve-2021-44228', sort: 'epss_score', order: 'asc' },
    ],
    ['listVulnerabilities', { status: '' }, active],
    ['listVulnerabilities', { count: 'false' }, { ...active, count: false }],
    [
      'listVulnerabilities',
      { status: ['Fixed, ACCEPTED', 'fixed'], severity: 'low' },
      { ...active, status: ['fixed', 'accepted'], severity: ['low'] },
    ],
    ['getVulnerabilitySummary', { project_id: id, service_id: '' }, { project_id: id }],
    [
      'getVulnerabilitySummary',
      { service_id: `${id.toUpperCase()}, ${other},${id}`, severity: 'LOW' },
      { service_id: [id, other], severity: ['low'] },
    ],
    [
      'listActiveVulnerabilities',
      { has_fix: '', is_direct: '', kev: '', min_epss: '', q: ' ', ecosystem: '', purl: '' },
      active,
    ],
    [
      'listVulnerabilities',
      { has_fix: 'true', is_direct: 'false', kev: 'true', min_epss: '0.5', q: ' log4j  code ' },
      { ...active, has_fix: true, is_direct: false, kev: true, min_epss: 0.5, q: 'log4j  code' },
    ],
    [
      'listActiveVulnerabilities',
      { detected_since: '2026-06-01T02:00:00+02:00', overdue: 'false' },
      { ...active, detected_since: '2026-06-01T00:00:00.000Z', overdue: false },
    ],
    ['getVulnerabilitySummary', { detected_since: '', overdue: '' }, {}],
    [
      'listVulnerabilities',
      { package_name: '@Scope/a', purl: 'pkg:npm/a@1', ecosystem: 'crates.io' },
      { ...active, package_name: '@Scope/a', purl: 'pkg:npm/a@1', ecosystem: 'crates.io' },
    ],
    ['getVulnerabilitySummary', { per_page: '5000' }, {}],
    ['getHealth', { x: 'y' }, {}],
    [
      'getSbomVerdict',
      {},
      { ...gate, baseline: 'last-passed', fail_on: 'high', only_new: false, wait: 0 },
    ],
    [
      'getSbomVerdict',
      { fail_on: 'low', only_new: 'true', baseline: '1.0', wait: '60' },
      { ...gate, fail_on: 'low', only_new: true, baseline: '1.0', wait: 60 },
    ],
    ['listSbomCoverage', { reason: '' }, { page: 1, per_page: 50 }],
    ['listSbomCoverage', { reason: 'no_purl' }, { page: 1, per_page: 50, reason: 'no_purl' }],
    [
      'searchPackages',
      { purl: 'pkg:npm/lodash', name: '', version: '' },
      { page: 1, per_page: 50, purl: 'pkg:npm/lodash' },
    ],
    [
      'searchPackages',
      { name: '@scope/name', version: '1', project_id: id },
      { page: 1, per_page: 50, name: '@scope/name', version: '1', project_id: id },
    ],
    ['searchLicenses', { license: 'MIT', group: '' }, { page: 1, per_page: 50, license: 'MIT' }],
    ['searchVulnerability', { page: '2' }, { page: 2, per_page: 50 }],
    ['listDependencyPaths', { purl: 'pkg:npm/a@1' }, { purl: 'pkg:npm/a@1' }],
    ['listDependencyGraph', { parent: '', q: ' ' }, { page: 1, per_page: 50, vulnerable: false }],
    [
      'listDependencyGraph',
      { parent: 'a', q: 'b c', vulnerable: 'true', page: '2' },
      { page: 2, per_page: 50, parent: 'a', q: 'b c', vulnerable: true },
    ],
    [
      'listRemediations',
      { project_id: id, service_id: '' },
      { page: 1, per_page: 50, project_id: id },
    ],
    ['listAdvisoryFeeds', {}, {}],
    ['getOwnApiKey', {}, {}],
    ['getMe', {}, {}],
    ['endSessions', {}, { keys: false }],
    ['endSessions', { keys: 'true' }, { keys: true }],
    ['listPeople', {}, { page: 1, per_page: 25 }],
    ['listDeadLetters', { consumer: '' }, { after: 0, per_page: 50 }],
    [
      'listDeadLetters',
      { consumer: 'a-b', after: '9' },
      { consumer: 'a-b', after: 9, per_page: 50 },
    ],
    ['listImports', {}, { page: 1, per_page: 25 }],
    ['listImportedServices', { page: '2' }, { page: 2, per_page: 50 }],
    ['listOwnApiKeys', { page: '2' }, { page: 2, per_page: 25 }],
  ])('of %s: %j is accepted', (operationId, raw, value) => {
    expect(validatorsOf(operationId).query(raw)).toStrictEqual({ ok: true, value });
  });

  test.each<[operationId: string, raw: Query, faults: string[]]>([
    ['previewAlertRule', { page: 'x' }, ['query.page extra_forbidden']],
    ['listDependencyPaths', {}, ['query.purl missing']],
    ['listDependencyGraph', { vulnerable: 'maybe' }, ['query.vulnerable bool_parsing']],
    ['listDependencyPaths', { purl: 'lodash' }, ['query.purl value_error']],
    ['listRemediations', { severity: 'high' }, ['query.severity extra_forbidden']],
    ['listAdvisoryFeeds', { ecosystem: ['npm', 'PyPI'] }, ['query.ecosystem extra_forbidden']],
    ['getOwnApiKey', { key: 'bt_x' }, ['query.key extra_forbidden']],
    ['getMe', { role: 'administrator' }, ['query.role extra_forbidden']],
    ['endSessions', { keys: 'maybe' }, ['query.keys bool_parsing']],
    ['listPeople', { name: 'kim' }, ['query.name extra_forbidden']],
    ['listDeadLetters', { consumer: 'a.>' }, ['query.consumer string_pattern_mismatch']],
    ['listDeadLetters', { after: '-1' }, ['query.after greater_than_equal']],
    ['listDeadLetters', { page: '2' }, ['query.page extra_forbidden']],
    ['listImports', { status: 'failed' }, ['query.status extra_forbidden']],
    ['listOwnApiKeys', { page: '0' }, ['query.page greater_than_equal']],
    [
      'getSbomVerdict',
      { failon: 'low', wait: 'x' },
      ['query.wait int_parsing', 'query.failon extra_forbidden'],
    ],
    ['listProjects', { page: ['2', '7'] }, ['query.page value_error']],
    ['listActiveVulnerabilities', { cve_id: 'CVE-1,CVE-2' }, ['query.cve_id value_error']],
    [
      'listProjects',
      { page: ['2', 'x'], per_page: ['1', '1'] },
      ['query.page value_error', 'query.per_page value_error'],
    ],
    ['searchPackages', { purl: ['pkg:npm/a', 'pkg:npm/b'] }, ['query.purl value_error']],
    ['deleteService', { cascade: ['false', 'true'] }, ['query.cascade value_error']],
    ['listProjects', { page: '0' }, ['query.page greater_than_equal']],
    [
      'listProjects',
      { page: '-1', per_page: '201' },
      ['query.page greater_than_equal', 'query.per_page less_than_equal'],
    ],
    [
      'listProjects',
      { page: 'x', per_page: '1.5' },
      ['query.page int_parsing', 'query.per_page int_parsing'],
    ],
    [
      'listProjects',
      { page: '', per_page: '1e2' },
      ['query.page int_parsing', 'query.per_page int_parsing'],
    ],
    ['listProjects', { name: 'k\ufffdse' }, ['query.name string_unicode']],
    ['listProjects', { page: '\ufffd' }, ['query.page int_parsing']],
    ['listProjects', { page: '9007199254740993' }, ['query.page less_than_equal']],
    ['listProjects', { page: '9'.repeat(5000) }, ['query.page less_than_equal']],
    ['listProjects', { page: `-${'9'.repeat(5000)}` }, ['query.page greater_than_equal']],
    ['listServices', {}, ['query.project_id missing']],
    ['listServices', { project_id: '' }, ['query.project_id missing']],
    ['listServices', { project_id: 'x' }, ['query.project_id uuid_parsing']],
    ['deleteService', { cascade: '1' }, ['query.cascade bool_parsing']],
    ['deleteService', { cascade: 'True' }, ['query.cascade bool_parsing']],
    ['deleteService', { cascade: '' }, ['query.cascade bool_parsing']],
    ['listActiveVulnerabilities', { severity: 'critical,bad' }, ['query.severity enum']],
    [
      'listActiveVulnerabilities',
      { sort: 'name', order: 'DESC' },
      ['query.sort enum', 'query.order enum'],
    ],
    ['listActiveVulnerabilities', { sort: '', order: '' }, ['query.sort enum', 'query.order enum']],
    [
      'listActiveVulnerabilities',
      { project_id: 'x', service_id: 'y' },
      ['query.project_id uuid_parsing', 'query.service_id uuid_parsing'],
    ],
    ['listVulnerabilities', { status: 'open,vanished' }, ['query.status enum']],
    ['listVulnerabilities', { service_id: `${id},x` }, ['query.service_id uuid_parsing']],
    ['listActiveVulnerabilities', { service_id: [id, other] }, ['query.service_id value_error']],
    [
      'getVulnerabilitySummary',
      { service_id: Array.from({ length: 51 }, (_, n) => id.slice(0, -2) + (10 + n)).join() },
      ['query.service_id value_error'],
    ],
    [
      'listActiveVulnerabilities',
      { ecosystem: 'NPM', has_fix: 'yes', min_epss: '1.1', purl: 'lodash' },
      [
        'query.purl value_error',
        'query.ecosystem enum',
        'query.has_fix bool_parsing',
        'query.min_epss less_than_equal',
      ],
    ],
    ['listVulnerabilities', { q: 'a '.repeat(9) }, ['query.q value_error']],
    ['listVulnerabilities', { q: 'a'.repeat(201) }, ['query.q string_too_long']],
    [
      'listVulnerabilities',
      { detected_since: '2026-06-01', overdue: 'soon' },
      ['query.detected_since datetime_from_date_parsing', 'query.overdue bool_parsing'],
    ],
    ['listVulnerabilities', { kev: ['true', 'true'] }, ['query.kev value_error']],
    ['getVulnerabilitySummary', { project_id: 'x' }, ['query.project_id uuid_parsing']],
    ['listSbomCoverage', { reason: 'No_Purl' }, ['query.reason enum']],
    ['getSbomVerdict', { fail_on: 'unknown' }, ['query.fail_on enum']],
    ['getSbomVerdict', { max_epss: '7' }, ['query.max_epss less_than_equal']],
    ['getSbomVerdict', { max_epss: 'much' }, ['query.max_epss float_parsing']],
    ['getSbomVerdict', { baseline: 'x'.repeat(256) }, ['query.baseline string_too_long']],
    ['getSbomVerdict', { wait: '61' }, ['query.wait less_than_equal']],
    ['searchPackages', {}, ['query.purl missing']],
    ['searchLicenses', {}, ['query.license missing']],
    ['searchPackages', { purl: '', name: '', version: '1' }, ['query.purl missing']],
    ['searchPackages', { purl: 'pkg:npm/a', name: 'a' }, ['query.purl value_error']],
    ['searchPackages', { purl: 'lodash' }, ['query.purl value_error']],
    ['searchPackages', { purl: 'pkg:npm' }, ['query.purl value_error']],
    ['searchPackages', { name: 'x'.repeat(2049) }, ['query.name string_too_long']],
    [
      'searchPackages',
      { purl: 'x', project_id: 'y', page: '0' },
      ['query.purl value_error', 'query.project_id uuid_parsing', 'query.page greater_than_equal'],
    ],
    [
      'listAcceptances',
      { project_id: 'x', page: '0' },
      ['query.project_id uuid_parsing', 'query.page greater_than_equal'],
    ],
  ])('of %s: %j is refused', (operationId, raw, expected) => {
    expect(faults(validatorsOf(operationId).query(raw))).toEqual(expected);
  });

  test('of any text gives a page within bounds or a problem', () => {
    const { query } = validatorsOf('listProjects');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String)), (page) => {
        const checked = query({ page });
        const asked = Number(page);
        if (checked.ok) expect(checked.value.page).toBe(asked);
        else expect(/^[+-]?\d+$/.test(page) && asked >= 1).toBe(false);
      }),
    );
  });
});

describe('unknown query parameters', () => {
  const declared = operationsOf(dereference(contract.document)).map(({ operation }) => operation);

  test.each(declared.map((operation) => [operation.operationId, operation] as const))(
    'of %s are refused where it is additive, and named where it is not',
    (operationId, operation) => {
      const { query, ignoredQuery } = validatorsOf(operationId);
      const checked = query({ serverity: 'critical' });
      const forbidden = faults(checked).includes('query.serverity extra_forbidden');
      const isAdditive = operation['x-additive'] === true;
      expect([forbidden, ignoredQuery({ serverity: 'critical' })]).toEqual([
        isAdditive,
        isAdditive ? [] : ['serverity'],
      ]);
      const own = (operation.parameters ?? []).filter((one) => one.in === 'query');
      expect(ignoredQuery(Object.fromEntries(own.map(({ name }) => [name, ''])))).toEqual([]);
    },
  );

  test('are named up to a bound, without their values', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`x${n}`, 'secret']));
    expect(validatorsOf('listProjects').ignoredQuery(many)).toHaveLength(20);
    const checked = validatorsOf('getSbomVerdict').query({ ...many, ['y'.repeat(500)]: 'z' });
    expect(checked.ok ? [] : checked.problems).toHaveLength(20);
    expect(JSON.stringify(checked)).not.toContain('secret');
    const long = validatorsOf('listProjects').ignoredQuery({ ['😀'.repeat(500)]: '' });
    expect(long).toEqual(['😀'.repeat(100)]);
  });
});

describe('unknown fields', () => {
  test.each<[operationId: string, body: unknown, named: string[]]>([
    ['createAcceptance', { reason: 'r', expire_at: '2030-01-01' }, ['expire_at']],
    ['createAcceptance', [{ x: 1 }], []],
    ['createAcceptance', 'x', []],
    ['createAlertRule', { config: { anything: 1 } }, []],
    ['uploadSbom', { version: '1', service: 'api' }, ['service']],
    ['listProjects', { x: 1 }, ['x']],
  ])('of a body of %s: of %j, %j', (operationId, body, named) => {
    expect(validatorsOf(operationId).ignoredFields(body)).toEqual(named);
  });
});
