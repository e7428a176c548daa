import type { BadRequest } from './bad-request';

// Long because it is a table: an entry for each request.

const missingId = '00000000-0000-7000-8000-000000000000';
const newRule = { method: 'POST', path: '/api/v1/alert-rules' };
const rule = { method: 'PATCH', path: '/api/v1/alert-rules/$RULE' };
const newKey = { method: 'POST', path: '/api/v1/api-keys' };

/** `nested` arrays, each in the one before. */
const deep = (nested: number): string => '['.repeat(nested) + ']'.repeat(nested);

function refused(
  to: { method: string; path: string },
  what: string,
  wrong: readonly (readonly [title: string, body: string, problem: string])[],
): BadRequest[] {
  return wrong.map(([title, body, problem]) => ({
    ...to,
    title: `${what} with ${title}`,
    body,
    status: 422,
    problems: [problem],
  }));
}

const ruleOf = (fields: string): string => `{"project_id":"$PROJECT",${fields}}`;

/** Addresses that no deployment without a special setting posts to. */
const webhooks = [
  ['"http://example.org/x"', 'url_scheme'],
  ['"javascript:alert(1)"', 'url_parsing'],
  ['"file:///etc/passwd"', 'url_scheme'],
  ['"//example.org"', 'url_parsing'],
  ['"https://"', 'url_parsing'],
  ['"https://exa mple.org"', 'url_parsing'],
  ['"x"', 'url_parsing'],
  ['""', 'url_parsing'],
  ['1', 'string_type'],
  ['{}', 'string_type'],
  ['["https://example.org"]', 'string_type'],
  ...[
    '"https://localhost/x"',
    '"https://LOCALHOST./x"',
    '"https://127.0.0.1/x"',
    '"https://127.1/x"',
    '"https://0x7f.1/x"',
    '"https://2130706433/x"',
    '"https://017700000001/x"',
    '"https://0/x"',
    '"https://[::1]/x"',
    '"https://[::]/x"',
    '"https://[::ffff:127.0.0.1]/x"',
    '"https://[::ffff:7f00:1]/x"',
    '"https://[64:ff9b::7f00:1]/x"',
    '"https://[fe80::1]/x"',
    '"https://[fd00::1]/x"',
    '"https://10.0.0.1/x"',
    '"https://172.31.255.255/x"',
    '"https://192.168.0.1/x"',
    '"https://100.64.0.1/x"',
    '"https://169.254.169.254/latest/meta-data"',
    '"https://user:secret@example.org/x"',
    '"https://\\u2460\\u2461\\u2466.0.0.1/x"',
  ].map((address) => [address, 'value_error'] as const),
] as const;

const recipients = [
  ['"a@example.org"', ' list_type'],
  ['{}', ' list_type'],
  ['[]', ' too_short'],
  ['[1]', '.0 string_type'],
  ['["a"]', '.0 value_error'],
  ['["a@example.org",""]', '.1 value_error'],
  ['["a@example.org, b@example.org"]', '.0 value_error'],
  ['["a@example.org\\r\\nBcc: b@example.org"]', '.0 value_error'],
  [`[${Array(101).fill('"a@example.org"').join(',')}]`, ' too_long'],
] as const;

const rules: BadRequest[] = [
  ...refused(newRule, 'a new alert rule', [
    ['no project', '{}', 'body.project_id missing'],
    ['null as its project', '{"project_id":null}', 'body.project_id uuid_type'],
    ['a project that is no UUID', '{"project_id":"x"}', 'body.project_id uuid_parsing'],
    ...['"CRITICAL"', '"none"', '"unknown"', '""', 'null', '1', '["high"]', '{}'].map(
      (threshold) =>
        [
          `${threshold} as its threshold`,
          ruleOf(`"severity_threshold":${threshold}`),
          'body.severity_threshold enum',
        ] as const,
    ),
    ...['"Email"', '"telegram"', '"sms"', 'null', 'true', '["email"]'].map(
      (channel) =>
        [
          `${channel} as its channel`,
          ruleOf(`"notification_type":${channel}`),
          'body.notification_type enum',
        ] as const,
    ),
    ...['"true"', '1', '0', 'null', '"yes"', '[]'].map(
      (enabled) =>
        [
          `${enabled} as enabled`,
          ruleOf(`"enabled":${enabled}`),
          'body.enabled bool_type',
        ] as const,
    ),
    ...['null', '"x"', '1', '[]', 'true'].map(
      (config) =>
        [`${config} as its config`, ruleOf(`"config":${config}`), 'body.config dict_type'] as const,
    ),
    [
      'a config of 50,000 levels',
      ruleOf(`"config":{"a":${deep(50_000)}}`),
      'body.config value_error',
    ],
    ...webhooks.map(
      ([address, type]) =>
        [
          `${address} as its webhook`,
          ruleOf(`"notification_type":"slack","config":{"webhook_url":${address}}`),
          `body.config.webhook_url ${type}`,
        ] as const,
    ),
    ...recipients.map(
      ([sent, problem]) =>
        [
          `${sent.slice(0, 40)} as its recipients`,
          ruleOf(`"config":{"recipients":${sent}}`),
          `body.config.recipients${problem}`,
        ] as const,
    ),
  ]),
  {
    ...newRule,
    title: 'a new alert rule for a project that does not exist',
    body: `{"project_id":"${missingId}"}`,
    status: 404,
    code: 'project_not_found',
  },
  {
    ...newRule,
    title: 'a new alert rule with a config of __proto__, which is no mistake',
    body: ruleOf(
      '"config":{"__proto__":{"x":1},"constructor":{"prototype":{}},"$where":"x","a.b":1}',
    ),
    status: 201,
  },
  ...refused(rule, 'a change of an alert rule', [
    ['an empty project', '{"project_id":""}', 'body.project_id uuid_parsing'],
    ['a number as enabled', '{"enabled":1}', 'body.enabled bool_type'],
    ['a threshold that is none', '{"severity_threshold":"none"}', 'body.severity_threshold enum'],
    ['a list as its config', '{"config":[]}', 'body.config dict_type'],
  ]),
  {
    ...rule,
    title: 'a change of an alert rule to a project that does not exist',
    body: `{"project_id":"${missingId}"}`,
    status: 404,
    code: 'project_not_found',
  },
  {
    ...rule,
    path: `/api/v1/alert-rules/${missingId}`,
    title: 'a change of an alert rule that does not exist',
    body: '{}',
    status: 404,
    code: 'alert_rule_not_found',
  },
];

const keys: BadRequest[] = [
  ...refused(newKey, 'a new API key', [
    ['a number as its name', '{"name":1}', 'body.name string_type'],
    ['a name of 256 letters', `{"name":"${'x'.repeat(256)}"}`, 'body.name string_too_long'],
    ['a string as its scopes', '{"scopes":"read"}', 'body.scopes list_type'],
    ['an object as its scopes', '{"scopes":{"0":"read"}}', 'body.scopes list_type'],
    ['an unknown scope', '{"scopes":["root"]}', 'body.scopes.0 enum'],
    ['a scope in upper case', '{"scopes":["READ"]}', 'body.scopes.0 enum'],
    ['null as a scope', '{"scopes":["read",null]}', 'body.scopes.1 enum'],
    ['a nested scope', '{"scopes":[["admin"]]}', 'body.scopes.0 enum'],
    ['17 scopes', `{"scopes":[${Array(17).fill('"read"').join(',')}]}`, 'body.scopes too_long'],
    ['a project that is no UUID', '{"project_id":"x"}', 'body.project_id uuid_parsing'],
    [
      'an end in the past',
      '{"expires_at":"2000-01-01T00:00:00Z"}',
      'body.expires_at datetime_future',
    ],
    ['an end that is no time', '{"expires_at":"x"}', 'body.expires_at datetime_from_date_parsing'],
  ]),
  {
    ...newKey,
    title: 'a new API key for a project that does not exist',
    body: `{"project_id":"${missingId}"}`,
    status: 404,
    code: 'project_not_found',
  },
];

/** Identifiers that are none, or name nothing. */
const places: BadRequest[] = [
  ...(
    [
      ['DELETE', '/api/v1/projects/x', 'project_id'],
      ['DELETE', '/api/v1/services/x', 'service_id'],
      ['PATCH', '/api/v1/alert-rules/x', 'alert_id'],
      ['DELETE', '/api/v1/alert-rules/x', 'alert_id'],
      ['POST', '/api/v1/alert-rules/x/test', 'alert_id'],
      ['GET', '/api/v1/alert-rules/x/deliveries', 'alert_id'],
      ['GET', '/api/v1/alert-rules/$PROJECT-/preview', 'alert_id'],
      ['DELETE', '/api/v1/api-keys/x', 'api_key_id'],
      ['DELETE', '/api/v1/api-keys/$KEYHEAD', 'api_key_id'],
      ['GET', '/api/v1/sboms/x/diff/$SBOM', 'sbom_id'],
      ['GET', '/api/v1/sboms/$SBOM/diff/x', 'other_id'],
    ] as const
  ).map(([method, path, name]) => ({
    title: `${method} ${path}`,
    method,
    path,
    ...(method === 'PATCH' && { body: '{}' }),
    status: 422,
    problems: [`path.${name} uuid_parsing`],
  })),
  ...(
    [
      ['DELETE', `/api/v1/projects/${missingId}`, 'project_not_found'],
      ['DELETE', `/api/v1/services/${missingId}`, 'service_not_found'],
      ['DELETE', `/api/v1/services/${missingId}?cascade=true`, 'service_not_found'],
      ['DELETE', '/api/v1/services/$PROJECT', 'service_not_found'],
      ['DELETE', `/api/v1/alert-rules/${missingId}`, 'alert_rule_not_found'],
      ['POST', `/api/v1/alert-rules/${missingId}/test`, 'alert_rule_not_found'],
      ['GET', `/api/v1/alert-rules/${missingId}/deliveries`, 'alert_rule_not_found'],
      ['GET', '/api/v1/alert-rules/$PROJECT/preview', 'alert_rule_not_found'],
      ['DELETE', `/api/v1/api-keys/${missingId}`, 'api_key_not_found'],
      ['GET', `/api/v1/sboms/$SBOM/diff/${missingId}`, 'sbom_not_found'],
      ['GET', `/api/v1/sboms/${missingId}/diff/$SBOM`, 'sbom_not_found'],
    ] as const
  ).map(([method, path, code]) => ({
    title: `${method} ${path}`,
    method,
    path,
    status: 404,
    code,
  })),
  ...['1', 'TRUE', 'yes', '', 'true,true', 'null'].map((cascade) => ({
    title: `a deletion of a service with cascade=${cascade}`,
    method: 'DELETE',
    path: `/api/v1/services/$SERVICE?cascade=${cascade}`,
    status: 422,
    problems: ['query.cascade bool_parsing'],
  })),
  {
    title: 'a deletion of a service with cascade given twice',
    method: 'DELETE',
    path: '/api/v1/services/$SERVICE?cascade=true&cascade=false',
    status: 422,
    problems: ['query.cascade value_error'],
  },
  ...['', '?cascade=false', '?Cascade=true'].map((query) => ({
    title: `a deletion of a service that has SBOMs with "${query}"`,
    method: 'DELETE',
    path: `/api/v1/services/$SERVICE${query}`,
    status: 409,
    code: 'service_has_sboms',
  })),
  {
    title: 'a deletion of a service that says in its body to delete all, which is not read',
    method: 'DELETE',
    path: '/api/v1/services/$SERVICE',
    body: '{"cascade":true}',
    status: 409,
    code: 'service_has_sboms',
  },
];

const audit: BadRequest[] = (
  [
    ['key_id=x', 'query.key_id uuid_parsing'],
    ['project_id=x', 'query.project_id uuid_parsing'],
    [`operation=${'x'.repeat(101)}`, 'query.operation string_too_long'],
    ['from=yesterday', 'query.from datetime_from_date_parsing'],
    ['to=2026-01-01T00:00:00', 'query.to timezone_aware'],
    ['from=2026-01-01T00:00:00+00:00', 'query.from datetime_from_date_parsing'],
    ['per_page=201', 'query.per_page less_than_equal'],
  ] as const
).map(([query, problem]) => ({
  title: `/api/v1/audit?${query.slice(0, 60)}`,
  path: `/api/v1/audit?${query}`,
  status: 422,
  problems: [problem],
}));

const letters: BadRequest[] = (
  [
    ['GET', '?consumer=%3E', 'query.consumer string_pattern_mismatch'],
    ['GET', `?consumer=${'x'.repeat(101)}`, 'query.consumer string_too_long'],
    ['GET', '?after=-1', 'query.after greater_than_equal'],
    ['GET', '?after=1e3', 'query.after int_parsing'],
    ['GET', '?per_page=201', 'query.per_page less_than_equal'],
    ['GET', '?page=2', 'query.page extra_forbidden'],
    ['GET', '/0', 'path.dead_letter_id greater_than_equal'],
    ['GET', '/%3E', 'path.dead_letter_id int_parsing'],
    ['DELETE', `/${'9'.repeat(400)}`, 'path.dead_letter_id less_than_equal'],
    ['DELETE', '/1.5', 'path.dead_letter_id int_parsing'],
    ['POST', '/-1/replay', 'path.dead_letter_id greater_than_equal'],
  ] as const
).map(([method, rest, problem]) => ({
  title: `${method} /api/v1/dead-letters${rest.slice(0, 40)}`,
  method,
  path: `/api/v1/dead-letters${rest}`,
  status: 422,
  problems: [problem],
}));

export const rulesAndKeys: BadRequest[] = [...rules, ...keys, ...places, ...audit, ...letters];
