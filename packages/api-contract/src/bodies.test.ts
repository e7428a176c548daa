import fc from 'fast-check';
import { loadContract } from './contract';
import { faults, validatorsIn } from './testing/validators-in';

const now = new Date('2026-06-01T12:00:00.000Z');
const contract = loadContract({ now: () => now });
const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';
const other = '0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d';
const bell = 'ü'.repeat(255);
const emoji = '🛒'.repeat(255);

const validatorsOf = validatorsIn(contract);

describe('a JSON body', () => {
  const acceptance = { project_id: id, vulnerability_id: other, reason: 'r' };
  const rule = { project_id: id };
  const ruleDefaults = {
    severity_threshold: 'high',
    notification_type: 'email',
    config: {},
    enabled: true,
  };

  test.each<[operationId: string, body: unknown, value: unknown]>([
    ['createProject', { name: 'Shop' }, { name: 'Shop' }],
    ['createProject', { name: ' \tShop\u00a0' }, { name: 'Shop' }],
    ['createProject', { name: bell }, { name: bell }],
    ['createProject', { name: emoji }, { name: emoji }],
    ['createProject', { name: ` ${bell} ` }, { name: bell }],
    ['createProject', { name: 'a', unknown: 1, id: 5 }, { name: 'a' }],
    [
      'createProject',
      { name: 'a', description: '', platform: '' },
      { name: 'a', description: '', platform: '' },
    ],
    [
      'createProject',
      { name: 'a', description: null, repo_url: null, platform: null },
      { name: 'a', description: null, repo_url: null, platform: null },
    ],
    ['createProject', { name: 'a', repo_url: '' }, { name: 'a', repo_url: null }],
    ['createProject', { name: 'a', repo_url: '  ' }, { name: 'a', repo_url: null }],
    ['createProject', { name: 'a', platform: ' x ' }, { name: 'a', platform: ' x ' }],
    [
      'createProject',
      { name: 'a', platform: '🛒'.repeat(50) },
      { name: 'a', platform: '🛒'.repeat(50) },
    ],
    ['updateProject', {}, {}],
    ['updateProject', { name: null }, { name: null }],
    ['updateProject', { name: ' b ' }, { name: 'b' }],
    ['updateProject', { repo_url: '', description: null }, { repo_url: null, description: null }],
    ['createAcceptance', acceptance, acceptance],
    [
      'createAcceptance',
      { ...acceptance, service_id: null, expires_at: null },
      { ...acceptance, service_id: null, expires_at: null },
    ],
    [
      'createAcceptance',
      { ...acceptance, service_id: id.toUpperCase() },
      { ...acceptance, service_id: id },
    ],
    ['createAcceptance', { ...acceptance, reason: ' r\n' }, acceptance],
    [
      'createAcceptance',
      { ...acceptance, reason: '🛒'.repeat(2000) },
      { ...acceptance, reason: '🛒'.repeat(2000) },
    ],
    [
      'createAcceptance',
      { ...acceptance, expires_at: '2026-06-01T14:00:01+02:00' },
      { ...acceptance, expires_at: '2026-06-01T12:00:01.000Z' },
    ],
    ['createAlertRule', rule, { ...rule, ...ruleDefaults }],
    [
      'createAlertRule',
      { ...rule, severity_threshold: 'low', notification_type: 'discord', enabled: false },
      {
        ...rule,
        severity_threshold: 'low',
        notification_type: 'discord',
        enabled: false,
        config: {},
      },
    ],
    [
      'createAlertRule',
      { ...rule, config: { a: [1, { b: null }] } },
      { ...rule, ...ruleDefaults, config: { a: [1, { b: null }] } },
    ],
    ['updateAlertRule', {}, {}],
    [
      'updateAlertRule',
      {
        project_id: null,
        severity_threshold: null,
        notification_type: null,
        enabled: null,
        config: null,
      },
      {
        project_id: null,
        severity_threshold: null,
        notification_type: null,
        enabled: null,
        config: null,
      },
    ],
    [
      'updateAlertRule',
      { enabled: false, config: { recipients: ['a@example.org'] } },
      { enabled: false, config: { recipients: ['a@example.org'] } },
    ],
    ['updateProject', { retention: {} }, { retention: {} }],
    ['updateProject', { retention: null }, { retention: null }],
    ['createApiKey', {}, {}],
    [
      'createApiKey',
      { name: 'ci', scopes: ['read', 'upload'], project_id: id },
      { name: 'ci', scopes: ['read', 'upload'], project_id: id },
    ],
    ['getProject', { anything: true }, undefined],
    ['uploadSbom', undefined, undefined],
    ['importVex', undefined, undefined],
  ])('of %s: %j is accepted', (operationId, body, value) => {
    const checked = validatorsOf(operationId).body(body);
    expect(checked).toEqual({ ok: true, value });
    if (value !== undefined)
      expect(Object.keys((checked as { value: object }).value).sort()).toEqual(
        Object.keys(value as object).sort(),
      );
  });

  test.each<[operationId: string, body: unknown, faults: string[]]>([
    ['createProject', undefined, ['body missing']],
    ['createProject', null, ['body dict_type']],
    ['createProject', [], ['body dict_type']],
    ['createProject', 'Shop', ['body dict_type']],
    ['createProject', 5, ['body dict_type']],
    ['createProject', {}, ['body.name missing']],
    [
      'createProject',
      { name: 'x', retention: { keep_last: 0, keep_days: 0.5 } },
      ['body.retention.keep_last greater_than_equal', 'body.retention.keep_days int_type'],
    ],
    ['updateProject', { retention: [] }, ['body.retention dict_type']],
    // Ignored, each of these would keep more, deny less or select more than was meant.
    ['updateProject', { retention: { keep: 1 } }, ['body.retention.keep extra_forbidden']],
    [
      'createProject',
      { name: 'x', service_levels: { critical: 7, hihg: 30 } },
      ['body.service_levels.hihg extra_forbidden'],
    ],
    [
      'updateProject',
      { license_policy: { license: [], groups: { 'strong-copyleft': 'deny' } } },
      [
        'body.license_policy.license extra_forbidden',
        'body.license_policy.groups.strong-copyleft extra_forbidden',
      ],
    ],
    [
      'updateProject',
      { license_policy: { exceptions: [{ purl: 'pkg:npm/a', reason: 'r', expires: null }] } },
      ['body.license_policy.exceptions.0.expires extra_forbidden'],
    ],
    [
      'decideInBulk',
      { project_id: id, reason: 'r', filter: { serverity: ['low'] } },
      ['body.filter.serverity extra_forbidden'],
    ],
    [
      'createDecisionRule',
      { project_id: id, name: 'n', decision: 'in_triage', reason: 'r', filter: { kev: true } },
      ['body.filter.kev extra_forbidden'],
    ],
    [
      'updateProject',
      { retention: { keep_days: 36_501 } },
      ['body.retention.keep_days less_than_equal'],
    ],
    ['createProject', { name: null }, ['body.name string_type']],
    ['createProject', { name: true }, ['body.name string_type']],
    ['createProject', { name: '' }, ['body.name string_too_short']],
    ['createProject', { name: ' \n\u3000' }, ['body.name string_too_short']],
    ['createProject', { name: `${bell}x` }, ['body.name string_too_long']],
    ['createProject', { name: `${emoji}x` }, ['body.name string_too_long']],
    ['createProject', { name: 'half \ud83d' }, ['body.name string_unicode']],
    ['createProject', { name: 'a', description: 5 }, ['body.description string_type']],
    ['createProject', { name: 'a', platform: 'x'.repeat(51) }, ['body.platform string_too_long']],
    ['createProject', { name: 'a', repo_url: 'ftp://x' }, ['body.repo_url url_scheme']],
    [
      'createProject',
      { name: 'a', repo_url: `https://x/${'y'.repeat(1015)}` },
      ['body.repo_url string_too_long'],
    ],
    [
      'createProject',
      { name: '', description: [], repo_url: {}, platform: 1 },
      [
        'body.name string_too_short',
        'body.description string_type',
        'body.repo_url string_type',
        'body.platform string_type',
      ],
    ],
    ['createProject', JSON.parse('{"__proto__": {"name": "x"}}'), ['body.name missing']],
    ['updateProject', undefined, ['body missing']],
    ['updateProject', { name: '  ' }, ['body.name string_too_short']],
    ['updateProject', { name: 5 }, ['body.name string_type']],
    [
      'updateProject',
      { name: `${bell}x`, platform: 'x'.repeat(51) },
      ['body.name string_too_long', 'body.platform string_too_long'],
    ],
    [
      'createAcceptance',
      {},
      ['body.project_id missing', 'body.vulnerability_id missing', 'body.reason missing'],
    ],
    ['createAcceptance', { ...acceptance, reason: '' }, ['body.reason string_too_short']],
    ['createAcceptance', { ...acceptance, reason: '   ' }, ['body.reason string_too_short']],
    [
      'createAcceptance',
      { ...acceptance, reason: 'x'.repeat(2001) },
      ['body.reason string_too_long'],
    ],
    ['createAcceptance', { ...acceptance, project_id: 'x' }, ['body.project_id uuid_parsing']],
    ['createAcceptance', { ...acceptance, project_id: '' }, ['body.project_id uuid_parsing']],
    ['createAcceptance', { ...acceptance, project_id: null }, ['body.project_id uuid_type']],
    ['createAcceptance', { ...acceptance, service_id: 5 }, ['body.service_id uuid_type']],
    ['createAcceptance', { ...acceptance, service_id: '' }, ['body.service_id uuid_parsing']],
    [
      'createAcceptance',
      { ...acceptance, expires_at: '2026-06-01T12:00:00Z' },
      ['body.expires_at datetime_future'],
    ],
    [
      'createAcceptance',
      { ...acceptance, expires_at: '2026-06-01T12:00:00' },
      ['body.expires_at timezone_aware'],
    ],
    [
      'createAcceptance',
      { ...acceptance, expires_at: 'soon' },
      ['body.expires_at datetime_from_date_parsing'],
    ],
    [
      'createAcceptance',
      { ...acceptance, expires_at: 1893456000 },
      ['body.expires_at datetime_type'],
    ],
    ['createAlertRule', {}, ['body.project_id missing']],
    ['createAlertRule', { ...rule, severity_threshold: null }, ['body.severity_threshold enum']],
    ['createAlertRule', { ...rule, severity_threshold: 'HIGH' }, ['body.severity_threshold enum']],
    ['createAlertRule', { ...rule, severity_threshold: 'none' }, ['body.severity_threshold enum']],
    ['createAlertRule', { ...rule, notification_type: 5 }, ['body.notification_type enum']],
    ['createAlertRule', { ...rule, config: [] }, ['body.config dict_type']],
    ['createAlertRule', { ...rule, config: null }, ['body.config dict_type']],
    ['createAlertRule', { ...rule, enabled: 'true' }, ['body.enabled bool_type']],
    ['createAlertRule', { ...rule, enabled: 1 }, ['body.enabled bool_type']],
    ['createAlertRule', { ...rule, enabled: null }, ['body.enabled bool_type']],
    [
      'updateAlertRule',
      {
        project_id: 'x',
        severity_threshold: 'x',
        notification_type: 5,
        enabled: 'no',
        config: 'x',
      },
      [
        'body.project_id uuid_parsing',
        'body.severity_threshold enum',
        'body.notification_type enum',
        'body.enabled bool_type',
        'body.config dict_type',
      ],
    ],
    ['createApiKey', { scopes: 'read' }, ['body.scopes list_type']],
    ['createApiKey', { scopes: ['read', 'root', 5] }, ['body.scopes.1 enum', 'body.scopes.2 enum']],
    ['createApiKey', { scopes: Array(17).fill('read') }, ['body.scopes too_long']],
    [
      'createApiKey',
      { name: 'x'.repeat(256), expires_at: '2020-01-01T00:00:00Z' },
      ['body.name string_too_long', 'body.expires_at datetime_future'],
    ],
  ])('of %s: %j is refused', (operationId, body, expected) => {
    expect(faults(validatorsOf(operationId).body(body)).sort()).toEqual([...expected].sort());
  });

  test('is never modified by validation', () => {
    const body = Object.freeze({ name: ' a ', repo_url: '' });
    validatorsOf('createProject').body(body);
    expect(body).toEqual({ name: ' a ', repo_url: '' });
  });

  test('is either accepted or rejected with a location and a reason', () => {
    const { body } = validatorsOf('createAlertRule');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const checked = body(value);
        if (checked.ok) throw new Error('has no project_id');
        for (const { loc, type, msg } of checked.problems) {
          expect([loc[0], type.length > 0, msg.length > 0]).toEqual(['body', true, true]);
        }
      }),
    );
  });

  test('does not share defaults between requests', () => {
    const { body } = validatorsOf('createAlertRule');
    const first = body(rule) as { value: { config: Record<string, unknown> } };
    first.value.config.recipients = ['a@example.org'];
    expect(body(rule)).toMatchObject({ value: { config: {} } });
    expect((body(rule) as { value: { config: object } }).value.config).toEqual({});
  });

  test('cannot set a prototype through a free object', () => {
    const config = JSON.parse('{"__proto__": {"admin": true}, "a": [{"__proto__": 1, "b": 2}]}');
    const { value } = validatorsOf('createAlertRule').body({ ...rule, config }) as {
      value: { config: Record<string, unknown> };
    };
    expect(JSON.stringify(value.config)).toBe('{"a":[{"b":2}]}');
    expect((Object.assign({}, value.config) as { admin?: unknown }).admin).toBeUndefined();
  });

  test('nests a free object at most 32 levels deep', () => {
    const nested = (levels: number) =>
      JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
    const { body } = validatorsOf('createAlertRule');
    expect(faults(body({ ...rule, config: nested(32) }))).toEqual([]);
    expect(faults(body({ ...rule, config: nested(33) }))).toEqual(['body.config value_error']);
    expect(faults(body({ ...rule, config: nested(100_000) }))).toEqual(['body.config value_error']);
  });
});
