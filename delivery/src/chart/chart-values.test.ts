import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { repositoryRoot } from '@bomtrail/embedded';
import { serviceNames } from '@bomtrail/messages';
import { commonSettings } from '@bomtrail/service-runtime';
import { settingsSchemas } from '../settings/schemas';
import { triggerErrors } from './check-scaling';
import { chartFile, copies, readValues, valueSets, type Values } from './files';

const schema = JSON.parse(readFileSync(chartFile('values.schema.json'), 'utf8')) as object;
const valid = new Ajv({ strict: false, allErrors: true }).compile(schema);
const services = settingsSchemas('src');

/** The values that a set stands for, over the chart's own; deep enough for what is read here. */
function envOf(values: Values, block: string): string[] {
  const { env = {}, secretEnv = {} } = (values[block] ?? {}) as Record<string, object>;
  return [...Object.keys(env), ...Object.keys(secretEnv)];
}

test.each([{ name: 'its own', values: readValues() }, ...valueSets()])(
  'the schema takes the values: $name',
  ({ values }) => {
    // null takes a key away before helm looks at the schema.
    const left = JSON.parse(JSON.stringify(values, (_, value: unknown) => value ?? undefined));
    expect(valid(left) ? [] : valid.errors).toEqual([]);
  },
);

test.each([
  ['a value that does not exist', { gateway: { replicaCount: 3 } }],
  ['a password in an address', { mongodb: { uri: 'mongodb://me:secret@host/' } }],
  ['a secret as a plain value', { notifier: { env: { SMTP_PASSWORD: 'x' } } }],
  ['a webhook, which is a secret, too', { notifier: { env: { SLACK_WEBHOOK_URL: 'https://x' } } }],
  [
    'headers of the trace receiver, which are a secret, too',
    { defaults: { env: { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=x' } } },
  ],
  ['a setting that the chart makes', { gateway: { env: { HTTP_PORT: 80 } } }],
  [
    'a password in the address of a proxy',
    { outgoing: { httpsProxy: 'http://me:secret@proxy.example.org:3128' } },
  ],
  ['a kind of scaling that there is not', { scanner: { autoscaling: { type: 'vpa' } } }],
])('the schema refuses %s', (_, values) => {
  expect(valid(values)).toBe(false);
});

test.each(serviceNames)('the settings of %s in the values are settings of it', (service) => {
  const known = Object.keys(services[service].shape);
  const named = [readValues(), ...valueSets().map(({ values }) => values)].flatMap((values) =>
    envOf(values, service),
  );
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
});

test('the settings of all services in the values are settings of each', () => {
  const known = Object.keys(commonSettings.shape);
  const all = [readValues(), ...valueSets().map(({ values }) => values)];
  const named = all.flatMap((values) => envOf(values, 'defaults'));
  expect(named.filter((name) => !known.includes(name))).toEqual([]);
  expect(named).toContain('LOG_LEVEL');
});

test('the defaults of the values are those that the services have', () => {
  for (const service of serviceNames) {
    const { env = {} } = readValues()[service] as { env?: Record<string, unknown> };
    const given = Object.entries(env).filter(([, value]) => value !== '');
    const shape = services[service].shape as Record<string, { parse(value: unknown): unknown }>;
    for (const [name, value] of given)
      expect([name, shape[name]?.parse(String(value))]).toEqual([
        name,
        shape[name]?.parse(undefined),
      ]);
  }
});

test('the queues by which services are scaled are those that they take messages from', () => {
  expect(triggerErrors(readValues())).toEqual([]);
  const scanner = {
    autoscaling: { triggers: [{ stream: 'EVENTS', consumer: 'scanner-uploads' }] },
  };
  expect(triggerErrors({ ...readValues(), scanner })).toEqual([
    'scanner: lacks WORK/scanner-rescans',
    'scanner: lacks WORK/scanner-uploads',
    'scanner: takes nothing from EVENTS/scanner-uploads',
  ]);
});

test.each(copies)('the chart has the same $copy as $source: npm run gen', (one) => {
  const source = path.join(repositoryRoot(), one.source);
  expect(existsSync(source)).toBe(true);
  expect(readFileSync(chartFile(one.copy), 'utf8')).toBe(readFileSync(source, 'utf8'));
});

test('the bundled NATS is restarted when it stores nothing, which only its whole health says', () => {
  const template = readFileSync(chartFile('templates/nats.yaml'), 'utf8');
  const [, probe = ''] = template.split('livenessProbe:');
  expect(probe).toMatch(/^\s+httpGet: \{ path: \/healthz, port: monitoring \}/);
});
