import { loadContract } from './contract';
import type { Problem } from './types';

const contract = loadContract();
const lenient = loadContract({ allowPrivateWebhooks: true });
const rule = { project_id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11' };

function problems(operationId: string, body: unknown, by = contract): Problem[] {
  const checked = by.operations.get(operationId)!.validators.body(body);
  return checked.ok ? [] : checked.problems;
}

/** `body.config.recipients.0 value_error`, for both operations that take a config. */
function faults(config: unknown, by = contract): string[] {
  const created = problems('createAlertRule', { ...rule, config }, by);
  const updated = problems('updateAlertRule', { config }, by);
  expect(updated).toEqual(created);
  return created.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

describe('the config of an alert rule', () => {
  test.each([
    { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' },
    { webhook_url: null, recipients: null, webhook_secret: null, routing_key: null },
    { webhook_secret: `whsec_${'A'.repeat(32)}` },
    { webhook_secret: `whsec_${'A'.repeat(86)}==` },
    { routing_key: 'R0'.repeat(16) },
    { recipients: ['security@example.org', "o'neil+bom=trail@sub.example.org"] },
    { recipients: Array(100).fill('a@example.org') },
    { kev: true, min_epss: 0.1, by_severity: true },
    { by_severity: false, kev: true },
    { by_severity: false, min_epss: 0, kev: false },
    { by_severity: null, kev: null, min_epss: null },
    { by_severity: false, reminders: true, reminder_days: 90 },
    { by_severity: false, installation: true },
    { owner: 'Team A', labels: ['pci', 'internet facing'] },
    { owner: null, labels: null, quiet_hours: null, digest: null, reminder_days: null },
    { quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', weekends: true } },
    { digest: { every: 'week', at: '23:59', weekday: 'friday', time_zone: 'UTC' } },
    { digest: { every: 'day', time_zone: 'America/Argentina/Buenos_Aires' } },
    { anything: { webhook_url: 'http://10.0.0.1', recipients: [] } },
  ])('may be %j', (config) => {
    expect(faults(config)).toEqual([]);
  });

  test.each<[config: unknown, faults: string[]]>([
    [{ webhook_url: 'http://hooks.slack.com/x' }, ['webhook_url url_scheme']],
    [{ webhook_url: 'https://10.0.0.1/x' }, ['webhook_url value_error']],
    [{ webhook_url: '' }, ['webhook_url url_parsing']],
    [{ kev: 'yes' }, ['kev bool_type']],
    [{ owner: 5 }, ['owner string_type']],
    [{ labels: ['a,b'] }, ['labels.0 value_error']],
    [{ reminders: 'yes' }, ['reminders bool_type']],
    [{ reminder_days: 91 }, ['reminder_days less_than_equal']],
    [{ reminder_days: 0 }, ['reminder_days greater_than_equal']],
    [{ installation: 1 }, ['installation bool_type']],
    [{ quiet_hours: 'at night' }, ['quiet_hours dict_type']],
    [
      { quiet_hours: { from: '22:00', to: '22:00', time_zone: 'UTC', weekend: true } },
      ['quiet_hours.weekend extra_forbidden'],
    ],
    [
      { digest: { every: 'week', day: 'friday', time_zone: 'UTC' } },
      ['digest.day extra_forbidden'],
    ],
    [
      { quiet_hours: { from: '22:00' } },
      ['quiet_hours.to missing', 'quiet_hours.time_zone missing'],
    ],
    [
      { quiet_hours: { from: '24:00', to: '7:00', time_zone: 'CEST+1' } },
      [
        'quiet_hours.from value_error',
        'quiet_hours.to value_error',
        'quiet_hours.time_zone value_error',
      ],
    ],
    [{ digest: { every: 'hour', time_zone: 'UTC' } }, ['digest.every enum']],
    [{ digest: { every: 'day', time_zone: '+02:00' } }, ['digest.time_zone value_error']],
    [{ digest: { every: 'week', weekday: 'Friday', time_zone: 'UTC' } }, ['digest.weekday enum']],
    [{ min_epss: 1.5 }, ['min_epss less_than_equal']],
    [{ webhook_url: 5 }, ['webhook_url string_type']],
    [{ webhook_url: ['https://x.example'] }, ['webhook_url string_type']],
    [{ webhook_url: `https://x.example/${'y'.repeat(2031)}` }, ['webhook_url string_too_long']],
    [{ webhook_secret: 'whsec_short' }, ['webhook_secret value_error']],
    [{ webhook_secret: `whsec_${'A'.repeat(31)}` }, ['webhook_secret value_error']],
    [{ webhook_secret: `whsec_${'A'.repeat(88)}` }, ['webhook_secret value_error']],
    [{ webhook_secret: 'A'.repeat(32) }, ['webhook_secret value_error']],
    [{ webhook_secret: 5 }, ['webhook_secret string_type']],
    [{ routing_key: 'R0'.repeat(15) }, ['routing_key value_error']],
    [{ routing_key: 'R-'.repeat(16) }, ['routing_key value_error']],
    [{ recipients: 'a@example.org' }, ['recipients list_type']],
    [{ recipients: [] }, ['recipients too_short']],
    [{ recipients: Array(101).fill('a@example.org') }, ['recipients too_long']],
    [{ recipients: ['a@example.org', 5] }, ['recipients.1 string_type']],
    [
      { recipients: ['nobody', 'a@example.org', ''], webhook_url: 'x' },
      ['webhook_url url_parsing', 'recipients.0 value_error', 'recipients.2 value_error'],
    ],
  ])('is not %j', (config, expected) => {
    expect(faults(config)).toEqual(expected.map((fault) => `body.config.${fault}`));
  });

  test('gives a rule a reason to report something', () => {
    const [own] = problems('createAlertRule', { ...rule, config: { by_severity: false } });
    expect(own).toEqual({
      loc: ['body', 'config'],
      type: 'value_error',
      msg: expect.stringContaining('needs kev: true, min_epss, reminders: true'),
      ctx: expect.anything(),
    });
  });

  test.each([
    'nobody',
    '@example.org',
    'a@',
    'a@b',
    'a@example..org',
    'a@-x.example',
    'a@example.org.',
    'a b@example.org',
    'a@exam ple.org',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    'A <a@example.org>',
    '<a@example.org>',
    '"a b"@example.org',
    'a..b@example.org',
    '.a@example.org',
    'a@b@example.org',
    'a@[10.0.0.1]',
    `${'x'.repeat(65)}@example.org`,
    `a@${'x'.repeat(64)}.example`,
    `${'x'.repeat(64)}@${'y.'.repeat(100)}example`,
    'a\u0000@example.org',
    'b@example.com/>BODY',
    'b@example.com/;c',
    'b@example.com?x=<y>',
    'b@example.com#c',
    'b@example.com\\c',
    'b@example.com\\"',
    'b@example.com:25',
    'b@exa%6dple.com',
    'b@exam\u00adple.com',
    'b@example\uff0fx.com',
    'b@example\u2488com',
  ])('holds no recipient %j', (recipient) => {
    expect(faults({ recipients: [recipient] })).toEqual(['body.config.recipients.0 value_error']);
  });

  test.each([
    'kaethe@bücher.example',
    'a@例え.テスト',
    'a@उदाहरण.परीक्षा',
    'a@xn--bcher-kva.example',
    `${'x'.repeat(64)}@example.org`,
  ])('may hold the recipient %s', (recipient) => {
    expect(faults({ recipients: [recipient] })).toEqual([]);
  });

  test('requires ASCII before the @-sign of a recipient', () => {
    const body = { ...rule, config: { recipients: ['käthe@bücher.example'] } };
    expect(problems('createAlertRule', body).map(({ msg }) => msg)).toEqual([
      'value is not a valid email address: The part before the @-sign must be ASCII.',
    ]);
  });

  test('is validated together with all other fields', () => {
    const body = { enabled: 'no', config: { webhook_url: 'http://x.example', recipients: [] } };
    expect(problems('createAlertRule', body).map(({ loc }) => loc.join('.'))).toEqual(
      expect.arrayContaining([
        ...['body.project_id', 'body.enabled'],
        ...['body.config.webhook_url', 'body.config.recipients'],
      ]),
    );
  });

  test('may contain any host if the deployment allows it, but no other scheme', () => {
    expect(faults({ webhook_url: 'http://127.0.0.1:8065/hooks/x' }, lenient)).toEqual([]);
    expect(faults({ webhook_url: 'ftp://127.0.0.1' }, lenient)).toEqual([
      'body.config.webhook_url url_scheme',
    ]);
  });
});

describe('the recipients that a deployment allows', () => {
  const strict = loadContract({ maxRecipients: 2, recipientDomains: ['example.org'] });
  const config = (...recipients: unknown[]) => ({ recipients });

  test.each<[config: unknown, faults: string[]]>([
    [config('a@example.org', 'b@EXAMPLE.org'), []],
    [{ recipients: null }, []],
    [config('a@example.org', 'a@example.com'), ['recipients.1 value_error']],
    [config('a@sub.example.org'), ['recipients.0 value_error']],
    [config('nobody'), ['recipients.0 value_error']],
    [config('a@example.org', 'b@example.org', 'c@example.org'), ['recipients too_long']],
    [{ recipients: Array(101).fill('a@example.org') }, ['recipients too_long']],
    [
      config('a@example.com', 'b@example.org', 5),
      ['recipients too_long', 'recipients.0 value_error', 'recipients.2 string_type'],
    ],
  ])('%j has the faults %j', (given, expected) => {
    const found = faults(given, strict).sort();
    expect(found).toEqual(expected.map((fault) => `body.config.${fault}`).sort());
  });

  test('appear in the problem as a number, without addresses', () => {
    const given = config('a@example.com', 'b@example.com', 'c@example.com');
    const found = problems('updateAlertRule', { config: given }, strict);
    expect(found).toContainEqual({
      loc: ['body', 'config', 'recipients'],
      type: 'too_long',
      msg: 'List should have at most 2 items, not 3',
      ctx: { field_type: 'List', max_length: 2, actual_length: 3 },
    });
    expect(JSON.stringify(found)).not.toContain('@example.com');
  });
});

describe('a config is never sent back', () => {
  const secret = 'http://hooks.example.org/s3cret';

  test.each([
    { ...rule, config: { webhook_url: secret } },
    { ...rule, config: { webhook_url: [secret] } },
    { ...rule, config: { recipients: secret } },
    { ...rule, config: { recipients: [secret] } },
    { ...rule, config: { webhook_secret: 's3cret', routing_key: 's3cret' } },
    { ...rule, config: secret },
    { ...rule, config: [secret] },
    { config: { webhook_url: 'https://hooks.example.org/s3cret' } },
    [{ ...rule, config: { webhook_url: secret } }],
    secret,
  ])('by a problem with %j', (body) => {
    const found = problems('createAlertRule', body);
    expect(found).not.toEqual([]);
    expect(JSON.stringify(found)).not.toContain('s3cret');
  });

  test('but other fields are', () => {
    const config = { webhook_url: secret };
    expect(problems('updateAlertRule', { enabled: 'no', config })).toContainEqual(
      expect.objectContaining({ loc: ['body', 'enabled'], input: 'no' }),
    );
  });
});
