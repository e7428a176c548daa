import { randomUUID } from 'node:crypto';
import { listExpiringKeys } from '@bomtrail/messages';
import { hashSecret } from '../api-keys/domain/api-key';
import { alertPreview, delivery } from '../testing/fake-alerts';
import * as harness from '../testing/fake-data';
import { fakeServices, type FakeServices } from '../testing/fake-services';
import { startGateway, type TestGateway } from '../testing/start-gateway';

let gateway: TestGateway;
let fakes: FakeServices;
const { projectId, otherProjectId, alertRuleId, missingId } = harness;
const path = '/api/v1/alert-rules';
const rulePath = `${path}/${alertRuleId}`;

beforeAll(async () => {
  gateway = await startGateway();
  fakes = fakeServices(gateway.bus);
});
afterAll(() => gateway?.stop());
beforeEach(() => {
  fakes.requested.length = 0;
});

interface RpcResponse {
  status: number;
  code: unknown;
  body: Record<string, unknown>;
  /** Places of the problems of a 422. */
  locations: string[];
}

async function send(
  request: { method: string; at: string; body?: unknown; key?: string },
  to: TestGateway = gateway,
): Promise<RpcResponse> {
  const { method, at, body, key } = request;
  const response = await to.call(method, at, {
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const result = (await response.json()) as Record<string, unknown>;
  const problems = response.status === 422 ? (result['detail'] as { loc: unknown[] }[]) : [];
  const locations = problems.map(({ loc }) => loc.join('.'));
  return { status: response.status, code: result['code'], body: result, locations };
}

const create = (body: unknown, key?: string) => send({ method: 'POST', at: path, body, key });
const update = (body: unknown, key?: string) => send({ method: 'PATCH', at: rulePath, body, key });
const remove = (key?: string) => send({ method: 'DELETE', at: rulePath, key });

/** The bodies of the requests of this name: the audit log asks for the project of a rule beside them. */
const requestsOf = (name: string) =>
  fakes.requested.filter(({ subject }) => subject.includes(name)).map(({ body }) => body);

async function keyBoundTo(project_id: string): Promise<string> {
  const prefix = randomUUID().replaceAll('-', '').slice(0, 12);
  const secret = 'k'.repeat(43);
  await gateway.keys.insertOne({
    _id: randomUUID(),
    prefix,
    secret_sha256: hashSecret(secret),
    name: null,
    scopes: [],
    project_id,
    expires_at: null,
    created_at: new Date(),
    revoked_at: null,
  });
  return `bt_${prefix}_${secret}`;
}

describe('A rule', () => {
  test('is made with the defaults of the contract', async () => {
    const made = await create({ project_id: projectId.toUpperCase() });
    expect(made).toMatchObject({ status: 201, body: harness.alertRule });
    expect(fakes.requested.map(({ body }) => body)).toEqual([
      {
        project_id: projectId,
        severity_threshold: 'high',
        notification_type: 'email',
        config: {},
        enabled: true,
      },
    ]);
  });

  test('is made as it was asked for, and its config is in no answer', async () => {
    const config = { webhook_url: 'https://chat.example.org/s3cret', x: [1] };
    const fields = { severity_threshold: 'low', notification_type: 'slack', enabled: false };
    const made = await create({ project_id: projectId, ...fields, config });
    expect(made.body).toMatchObject(fields);
    expect(made.body).not.toHaveProperty('config');
    expect(fakes.requested[0]?.body).toMatchObject({ ...fields, config });
  });

  test('is changed where a value is given, and null is none', async () => {
    const changed = await update({
      project_id: null,
      severity_threshold: 'low',
      notification_type: null,
      enabled: false,
      config: null,
    });
    expect(changed).toMatchObject({ status: 200, body: { status: 'updated' } });
    expect((await update({ config: {} })).body).toEqual({ status: 'updated' });
    expect((await update({})).body).toEqual({ status: 'updated' });
    expect(requestsOf('update-alert-rule').map(({ changes }) => changes)).toEqual([
      { severity_threshold: 'low', enabled: false },
      { config: {} },
      {},
    ]);
  });

  test('is deleted', async () => {
    expect(await remove()).toMatchObject({ status: 200, body: { status: 'deleted' } });
  });

  test('is listed 25 to a page', async () => {
    const page = await send({ method: 'GET', at: path });
    expect(page.body).toEqual({
      items: [harness.alertRule],
      total: 26,
      page: 1,
      per_page: 25,
      total_pages: 2,
      has_more: true,
    });
    expect(fakes.requested[0]?.body).toEqual({ page: 1, per_page: 25 });
  });
});

describe('What a rule does', () => {
  test('is tried out: the answer is the outcome, also a bad one', async () => {
    const tested = await send({ method: 'POST', at: `${path}/${alertRuleId.toUpperCase()}/test` });
    const body = { ...delivery, kind: 'test', next_attempt_at: null };
    expect(tested).toEqual({ status: 200, code: undefined, body, locations: [] });
    expect(requestsOf('test-alert-rule')).toEqual([
      { alert_id: alertRuleId, of_project: null, key_id: expect.any(String) },
    ]);
  });

  test('is not tried out twice at once: Retry-After says when', async () => {
    const at = `${path}/${harness.restlessRuleId}/test`;
    const response = await gateway.call('POST', at);
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('10');
    expect(await response.json()).toMatchObject({ code: 'rate_limited' });
    const spent = await gateway.call('POST', `${path}/${harness.spentRuleId}/test`);
    expect([spent.status, spent.headers.get('retry-after')]).toEqual([429, '1800']);
  });

  test('is tried out whatever is sent along, which is not read', async () => {
    const sent = { webhook_url: 'https://10.0.0.1/x' };
    expect((await send({ method: 'POST', at: `${rulePath}/test`, body: sent })).status).toBe(200);
  });

  test('is listed, 25 deliveries to a page', async () => {
    const listed = await send({ method: 'GET', at: `${rulePath}/deliveries` });
    expect(listed.body).toEqual({
      items: [delivery],
      total: 26,
      page: 1,
      per_page: 25,
      total_pages: 2,
      has_more: true,
    });
    await send({ method: 'GET', at: `${rulePath}/deliveries?page=2&per_page=5` });
    expect(fakes.requested.map((requested) => requested.body)).toEqual([
      { alert_id: alertRuleId, of_project: null, page: 1, per_page: 25 },
      { alert_id: alertRuleId, of_project: null, page: 2, per_page: 5 },
    ]);
  });

  test('is shown before it is done', async () => {
    const logged = await send({ method: 'GET', at: `${rulePath}/preview` });
    expect(logged).toMatchObject({ status: 200, body: alertPreview });
  });
});

describe('What is not there', () => {
  test('is 404, each with its code', async () => {
    const missing = `${path}/${missingId}`;
    const responses = [
      await create({ project_id: missingId }),
      await update({ project_id: missingId }),
      await send({ method: 'PATCH', at: missing, body: {} }),
      await send({ method: 'DELETE', at: missing }),
      await send({ method: 'POST', at: `${missing}/test` }),
      await send({ method: 'GET', at: `${missing}/deliveries` }),
      await send({ method: 'GET', at: `${missing}/preview` }),
    ];
    expect(responses.map(({ status, code }) => [status, code])).toEqual([
      [404, 'project_not_found'],
      [404, 'project_not_found'],
      ...Array(5).fill([404, 'alert_rule_not_found']),
    ]);
  });

  test('is not looked for while a field is wrong', async () => {
    const config = { webhook_url: 'https://127.1/x', recipients: ['a@example.org', 'nobody'] };
    const expected = ['body.config.webhook_url', 'body.config.recipients.1'];
    const made = await create({ project_id: missingId, severity_threshold: 'none', config });
    expect(made.locations.sort()).toEqual([...expected, 'body.severity_threshold'].sort());
    const changed = await send({ method: 'PATCH', at: `${path}/no-uuid`, body: { config } });
    expect(changed.locations.sort()).toEqual([...expected, 'path.alert_id'].sort());
    expect(fakes.requested).toEqual([]);
  });
});

describe('A rule for the installation', () => {
  const config = { installation: true };

  test('is made and changed by an administrator of everything', async () => {
    expect((await create({ project_id: projectId, config })).status).toBe(201);
    expect((await update({ config })).status).toBe(200);
  });

  test('is refused to a key of a project, whatever it may do there', async () => {
    const key = await keyBoundTo(projectId);
    for (const response of [
      await create({ project_id: projectId, config }, key),
      await update({ config }, key),
    ])
      expect([response.status, response.code]).toEqual([403, 'insufficient_scope']);
    expect(fakes.requested).toEqual([]);
    expect((await create({ project_id: projectId }, key)).status).toBe(201);
  });
});

test('the notifier hears which keys run out, of a project or of none', async () => {
  const day = 24 * 3_600_000;
  const inDays = (days: number) => new Date(Date.now() + days * day);
  const project_id = randomUUID();
  const key = (name: string, of: string | null, expires_at: Date | null) => ({
    _id: randomUUID(),
    prefix: randomUUID().replaceAll('-', '').slice(0, 12),
    secret_sha256: hashSecret(name),
    name,
    scopes: [],
    project_id: of,
    expires_at,
    created_at: new Date(),
    revoked_at: null,
  });
  await gateway.keys.insertMany([
    key('second', project_id, inDays(5)),
    key('first', project_id, inDays(1)),
    key('later', project_id, inDays(9)),
    key('over', project_id, inDays(-1)),
    key('never', project_id, null),
    { ...key('revoked', project_id, inDays(1)), revoked_at: new Date() },
    key('of none', null, inDays(2)),
  ]);
  const named = async (of: string | null) => {
    const asked = { project_id: of, before: inDays(7).toISOString() };
    const { body } = await gateway.bus.request(listExpiringKeys, asked);
    return body.keys.map(({ name }) => name);
  };
  expect(await named(project_id)).toEqual(['first', 'second']);
  expect(await named(null)).toEqual(['of none']);
});

test('a rule names 20 recipients at most', async () => {
  const naming = (count: number) => {
    const recipients = Array.from({ length: count }, (_, n) => `a${n}@example.org`);
    return create({ project_id: projectId, config: { recipients } });
  };
  expect((await naming(20)).status).toBe(201);
  expect((await naming(21)).locations).toEqual(['body.config.recipients']);
});

test('a rule is neither made in nor moved to a project that has as many as it may have', async () => {
  const full = { project_id: harness.fullProjectId };
  for (const response of [await create(full), await update(full)]) {
    expect([response.status, response.code]).toEqual([409, 'too_many_alert_rules']);
  }
});

describe('For a key that is bound to a project', () => {
  test('rules of others do not exist', async () => {
    const key = await keyBoundTo(otherProjectId);
    const responses = [
      ...[await update({ enabled: false }, key), await remove(key)],
      await send({ method: 'POST', at: `${rulePath}/test`, key }),
      await send({ method: 'GET', at: `${rulePath}/deliveries`, key }),
      await send({ method: 'GET', at: `${rulePath}/preview`, key }),
    ];
    for (const response of responses) {
      expect([response.status, response.code]).toEqual([404, 'alert_rule_not_found']);
    }
    const requested = fakes.requested.map(({ body }) => body['of_project']);
    expect(requested).toEqual(responses.map(() => otherProjectId));
  });

  test('neither can one be made in another project nor be taken there', async () => {
    const key = await keyBoundTo(projectId);
    const foreign = { project_id: otherProjectId };
    for (const response of [await create(foreign, key), await update(foreign, key)]) {
      expect([response.status, response.code]).toEqual([404, 'project_not_found']);
    }
    expect(fakes.requested).toEqual([]);
  });

  test('its own are served, and the list holds them only', async () => {
    const key = await keyBoundTo(projectId);
    const own = { project_id: projectId };
    const statuses = [await create(own, key), await update(own, key), await remove(key)];
    expect(statuses.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const [method, what] of [
      ['POST', 'test'],
      ['GET', 'deliveries'],
      ['GET', 'preview'],
    ] as const) {
      expect((await send({ method, at: `${rulePath}/${what}`, key })).status).toBe(200);
    }
    await send({ method: 'GET', at: path, key });
    expect(fakes.requested.at(-1)?.body).toEqual({ ...own, page: 1, per_page: 25 });
  });
});

test('nothing of a config is in a refusal, nor in an error that is logged', async () => {
  const config = { webhook_url: 'https://chat.example.org/s3cret' };
  const broken = { project_id: harness.brokenProjectId, config };
  const refused = { config: { webhook_url: 'http://chat.example.org/s3cret' } };
  const responses = [await create(broken), await create(refused), await update(refused)];
  expect(responses.map(({ status }) => status)).toEqual([500, 422, 422]);
  expect(gateway.errors.length).toBeGreaterThan(0);
  expect(JSON.stringify([responses, gateway.errors])).not.toContain('s3cret');
});

test('a deployment says to which recipients rules may send, and may allow webhooks over http and at internal addresses', async () => {
  const lenient = await startGateway({
    ALERT_ALLOW_PRIVATE_WEBHOOKS: 'true',
    ALERT_EMAIL_DOMAINS: 'example.org',
    ALERT_MAX_RECIPIENTS: 2,
  });
  try {
    fakeServices(lenient.bus);
    const made = (webhook_url: string) => {
      const body = { project_id: projectId, config: { webhook_url } };
      return send({ method: 'POST', at: path, body }, lenient);
    };
    expect((await made('http://127.0.0.1:8065/hooks/x')).status).toBe(201);
    expect((await made('file:///etc/passwd')).locations).toEqual(['body.config.webhook_url']);
    const told = async (...recipients: string[]) => {
      const config = { recipients };
      const body = { project_id: projectId, config };
      const created = await send({ method: 'POST', at: path, body }, lenient);
      const updated = await send({ method: 'PATCH', at: rulePath, body: { config } }, lenient);
      expect(updated.locations).toEqual(created.locations);
      return [created.status, updated.status, ...created.locations];
    };
    expect(await told('a@example.org', 'b@example.org')).toEqual([201, 200]);
    expect(await told('a@example.com')).toEqual([422, 422, 'body.config.recipients.0']);
    expect(await told('a@example.org', 'b@example.org', 'c@example.org')).toEqual([
      ...[422, 422, 'body.config.recipients'],
    ]);
  } finally {
    await lenient.stop();
  }
});
