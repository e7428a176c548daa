import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectGrpc, makeAdvisoryFolder, type AdvisoryFolder } from '@bomtrail/reference-model';
import {
  eventually,
  readJsonLines,
  startOtlpReceiver,
  startSlackFake,
  type OtlpReceiver,
  type ReceivedSpan,
  type WebhookFake,
} from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { createAlertCalls } from './support/alerts/alert-calls';
import { npmDocument } from './support/examples';
import {
  expressions,
  fileOf,
  seriesOf,
  exportedMetrics,
  type ExportedMetric,
} from './support/observability/deployed';
import { openTelemetryLoadedBy } from './support/observability/loaded-modules';
import { promqlParts } from './support/observability/promql';
import { traceTree } from './support/observability/trace-tree';
import { linesWithSecrets, passwordMark, webhookSecret } from './support/secrets-in-logs';
import { startTestStack, type TestStack } from './support/test-stack';

/** With it the spans of an upload and the metrics are printed. */
const show = process.env['BOMTRAIL_TEST_SHOW_TRACES'] !== undefined;

let folder: AdvisoryFolder;
let secrets: string;
let slack: WebhookFake;
let receiver: OtlpReceiver;
let running: TestStack;
let projectId: string;

beforeAll(async () => {
  [folder, slack, receiver, secrets] = await Promise.all([
    makeAdvisoryFolder(),
    startSlackFake(),
    startOtlpReceiver(),
    mkdtemp(path.join(tmpdir(), 'bomtrail-secrets-')),
  ]);
  for (const [id, name] of [
    ['CVE-2026-40001', 'rest-transport'],
    ['CVE-2026-40002', 'grpc-transport'],
  ] as const)
    await folder.put({
      id,
      aliases: [],
      affects: [`${name}@1.0.0`],
      severity: 'critical',
      withdrawn: false,
    });
  const headers = path.join(secrets, 'otlp-headers');
  await writeFile(headers, `authorization=${receiverKey},x-tenant=security\n`);
  running = await startTestStack({
    env: {
      BOMTRAIL_ADVISORY_SOURCE: folder.path,
      // A folder without documents, so that its metrics are there.
      BOMTRAIL_VEX_SOURCES: secrets,
      ALERT_CHECK_INTERVAL_SECONDS: '1',
      SLACK_WEBHOOK_URL: slack.url(webhookSecret),
      LOG_LEVEL: 'debug',
      OTEL_TRACES_ENABLED: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
      OTEL_EXPORTER_OTLP_HEADERS_FILE: headers,
    },
  });
  projectId = (await running.client.createProject({ name: 'Observed' })).id;
  await createAlertCalls(running.target).create({
    project_id: projectId,
    severity_threshold: 'low',
    notification_type: 'slack',
  });
});

afterAll(async () => {
  await running?.stop();
  await Promise.all([slack?.stop(), receiver?.stop(), folder?.discard()]);
  await rm(secrets, { recursive: true, force: true });
});

/** What the receiver of traces wants to see; a secret. */
const receiverKey = `Bearer%20${passwordMark}`;

/** A place in a trace, as a client that traces its own work sends it. */
function clientTrace() {
  const traceId = randomBytes(16).toString('hex');
  const spanId = randomBytes(8).toString('hex');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

const services = ['catalog', 'gateway', 'ingest', 'notifier', 'reconciler', 'scanner'];

/** The trace of an upload, once the message about it has been sent. */
async function untilNotified(traceId: string): Promise<ReceivedSpan[]> {
  await eventually(
    () => {
      const names = receiver.trace(traceId).map(({ service, name }) => `${service} ${name}`);
      expect(names).toEqual(
        expect.arrayContaining([
          'bomtrail-notifier POST',
          'bomtrail-notifier send alert',
          'bomtrail-catalog handle sbom.reconciled.v1',
        ]),
      );
      expect(isWhole(receiver.trace(traceId))).toBe(true);
    },
    { what: 'the whole trace of an upload' },
  );
  return receiver.trace(traceId);
}

/** Is the parent of each span there, but for the client's own? */
function isWhole(spans: readonly ReceivedSpan[]): boolean {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  return spans.filter(({ parentId }) => parentId === null || !ids.has(parentId)).length === 1;
}

function expectOneTrace(spans: readonly ReceivedSpan[], first: string): void {
  expect([...new Set(spans.map(({ service }) => service))].sort()).toEqual(
    services.map((service) => `bomtrail-${service}`),
  );
  expect(traceTree(spans).split('\n')[0]).toBe(first);
  const asking = spans.filter(({ attributes }) => attributes['db.system.name'] === 'mongodb');
  expect(new Set(asking.map(({ service }) => service)).size).toBe(services.length);
  const [post] = spans.filter(({ name }) => name === 'POST');
  expect(post?.attributes).toMatchObject({
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  });
}

test.each(['REST', 'gRPC'])(
  'an upload over %s is one trace through all six services, to the message that tells of it',
  async (transport) => {
    const { traceId, spanId, traceparent } = clientTrace();
    const name = `${transport.toLowerCase()}-transport`;
    const npm = npmDocument(name, [`${name}@1.0.0`, 'unjudged@1.0.0']).toString();
    // What nothing can judge is counted by its reason.
    const file = Buffer.from(npm.replace('pkg:npm/unjudged', 'pkg:generic/unjudged'));
    if (transport === 'REST') {
      const body = new FormData();
      body.set('project_id', projectId);
      body.set('service_name', name);
      body.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'sbom.json');
      const response = await running.target.fetch(`${running.target.baseUrl}/api/v1/sboms/upload`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${running.target.apiKey}`, traceparent },
      });
      expect(response.status).toBe(201);
    } else {
      const grpc = connectGrpc(running.stack.grpcPort, running.stack.apiKey);
      const fields = { project_id: projectId, service_name: name, sbom_json: file.toString() };
      expect(await grpc.upload(fields, { traceparent })).toHaveProperty('ok');
      grpc.close();
    }
    const spans = await untilNotified(traceId);
    if (show) process.stdout.write(`\n${traceTree(spans)}\n`);
    const first = transport === 'REST' ? 'POST uploadSbom' : 'sbom.SBOMService/UploadSBOM';
    expectOneTrace(spans, `gateway: ${first}`);
    expect(spans.find(({ parentId }) => parentId === spanId)?.service).toBe('bomtrail-gateway');
  },
);

test('the receiver is shown the headers that stand in a file', () => {
  const shown = receiver.headers().map((one) => `${one.authorization} ${one['x-tenant']}`);
  expect([...new Set(shown)]).toEqual([`Bearer ${passwordMark} security`]);
});

test('no span holds a key, the address of a webhook or what was uploaded', () => {
  const all = JSON.stringify(receiver.all());
  expect(linesWithSecrets(all)).toEqual([]);
  expect(all).not.toContain('-door');
});

/** The 17 fields of docs/operations/observability.md "Error event", by their JSON types. */
const exceptionFields = {
  timestamp: 'string',
  level: 'string',
  logger: 'string',
  message: 'string',
  module: 'string',
  line: 'number',
  pid: 'number',
  thread: 'string',
  event: 'string',
  type: 'string',
  traceback: 'string',
  trace_id: 'string',
  span_id: 'string',
  request_method: 'string',
  request_path: 'string',
  request_query: 'string',
  request_client: 'string',
};

test('an unhandled exception is one line with all fields of the specification; the answer says nothing', async () => {
  const mongo = await new MongoClient((await servers()).mongoUri).connect();
  const entries = mongo.db('bomtrail_gateway').collection('audit_entries');
  await entries.updateOne({ operation: 'createProject' }, { $unset: { at: '' } });
  const { traceId, traceparent } = clientTrace();
  const gateway = running.stack.processes().find(({ name }) => name === 'gateway');
  const response = await fetch(`${running.target.baseUrl}/api/v1/audit?per_page=200&operation=`, {
    headers: {
      authorization: `Bearer ${running.target.apiKey}`,
      traceparent,
      'x-request-id': 'the-failing-one',
    },
  });
  await mongo.close();
  expect([response.status, await response.json()]).toEqual([
    500,
    { detail: 'Internal Server Error', code: 'internal_error' },
  ]);
  const exceptions = async (): Promise<Record<string, unknown>[]> => {
    const lines = await readJsonLines(path.join(running.dataDir, 'logs', 'gateway.log'));
    return lines.filter(({ event }) => event === 'exception');
  };
  await eventually(async () => (await exceptions()).length > 0, { what: 'the line is written' });
  const written = await exceptions();
  expect(written).toHaveLength(1);
  const [line = {}] = written;
  const types = Object.fromEntries(
    Object.keys(exceptionFields).map((field) => [field, typeof line[field]]),
  );
  expect(types).toEqual(exceptionFields);
  expect(line).toMatchObject({
    level: 'error',
    event: 'exception',
    type: 'TypeError',
    pid: gateway?.pid,
    trace_id: traceId,
    request_id: 'the-failing-one',
    request_method: 'GET',
    request_path: '/api/v1/audit',
    request_query: 'per_page=200&operation=',
    request_client: '127.0.0.1',
  });
  expect(line['span_id']).toMatch(/^[0-9a-f]{16}$/);
  expect(Object.keys(line).sort()).toEqual(
    [...Object.keys(exceptionFields), 'request_id', 'service'].sort(),
  );
  if (show) process.stdout.write(`\n${JSON.stringify(line, null, 2)}\n`);
});

async function servers(): Promise<{ mongoUri: string; natsUrl: string }> {
  const file = await readFile(path.join(running.dataDir, 'servers.json'), 'utf8');
  return JSON.parse(file) as { mongoUri: string; natsUrl: string };
}

test('where traces are off nothing of the library that makes them is loaded', async () => {
  const { mongoUri, natsUrl } = await servers();
  const env = { MONGODB_URI: mongoUri, NATS_URL: natsUrl };
  // The metrics' library loads the interfaces, which do nothing.
  expect(await openTelemetryLoadedBy('ingest', env)).toEqual(['@opentelemetry/api']);
  const on = await openTelemetryLoadedBy('ingest', { ...env, OTEL_TRACES_ENABLED: 'true' });
  expect(on).toContain('@opentelemetry/sdk-trace-base');
});

describe('the metrics of running services', () => {
  const exported = new Map<string, ExportedMetric>();
  const texts: string[] = [];

  beforeAll(async () => {
    for (const { internalPort } of running.stack.processes()) {
      if (internalPort === null) continue;
      const response = await fetch(`http://127.0.0.1:${internalPort}/metrics`);
      const text = await response.text();
      expect([response.status, text]).toEqual([200, expect.stringContaining('bomtrail_')]);
      texts.push(text);
      for (const [name, metric] of exportedMetrics(text)) {
        const labels = new Set([...metric.labels, ...(exported.get(name)?.labels ?? [])]);
        exported.set(name, { ...metric, labels });
      }
    }
  });

  test('are those that the dashboard and the alert rules ask for', () => {
    const series = new Map(
      [...exported.values()].flatMap((metric) => seriesOf(metric).map((name) => [name, metric])),
    );
    // Of Prometheus itself: whether a service was reached, and who it was.
    const labels = new Set(['instance', 'job', 'le', 'service']);
    const all = expressions();
    expect(all.length).toBeGreaterThan(20);
    for (const { source, expression } of all) {
      const parts = promqlParts(expression);
      const known = new Set(labels);
      for (const name of parts.metrics) {
        if (name === 'up') continue;
        const metric = series.get(name);
        expect([source, name, metric?.name]).toEqual([source, name, expect.any(String)]);
        for (const label of metric?.labels ?? []) known.add(label);
      }
      expect([source, [...parts.labels].filter((label) => !known.has(label))]).toEqual([
        source,
        [],
      ]);
    }
  });

  test('hold no secrets', () => {
    expect(texts).toHaveLength(services.length);
    expect(linesWithSecrets(texts.join('\n'))).toEqual([]);
  });

  test('stand in the lists of the handbook, by type, each with what it means', () => {
    const document = fileOf('docs', 'operations', 'observability.md');
    const listed = document.split('\n### ').flatMap((section) => {
      const type = /^(\w+)s\n/.exec(section)?.[1]?.toLowerCase();
      return [...section.matchAll(/^- `(bomtrail_\w+)`: (.*)$/gm)].map(
        ([, name, help]) => `${name} ${type} ${help}`,
      );
    });
    const own = [...exported.values()].filter(({ name }) => name.startsWith('bomtrail_'));
    const expected = own.map(({ name, type, help }) => `${name} ${type} ${help}`).sort();
    expect(expected.length).toBeGreaterThan(20);
    if (show) process.stdout.write(`\n${expected.join('\n')}\n`);
    expect(listed.sort()).toEqual(expected);
  });
});
