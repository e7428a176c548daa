import { commonSettings, connectionErrors } from '@bomtrail/service-runtime';
import { readSettings, SettingsError } from '@bomtrail/settings';
import { serviceNames, type ServiceName } from '@bomtrail/messages';
import type { SettingsSchema } from '../settings/schemas';
import { podsOf, type KubeObject, type Pod } from './objects';

/** Where the chart mounts the Secrets of a service. */
const secretsFolder = '/etc/bomtrail/secrets/';

/** Sample value of a setting from a Secret; none for TLS files, which are read. */
const samples: Readonly<Record<string, string>> = {
  MONGODB_URI: 'mongodb://a,b/?replicaSet=rs0',
  BOMTRAIL_BOOTSTRAP_API_KEY: `bt_${'a'.repeat(12)}_${'b'.repeat(43)}`,
  SLACK_WEBHOOK_URL: 'https://chat.example.org/hook',
};
const otherSample = 'sample';

interface EnvEntry {
  name: string;
  value?: string;
}

/**
 * Parses the environment of each service with its own schema. Unknown settings are errors unless added by the user
 * (`extra`).
 */
export function settingsErrors(
  objects: readonly KubeObject[],
  schemas: Readonly<Record<ServiceName, SettingsSchema>>,
  extra: ReadonlySet<string>,
): string[] {
  const pods = podsOf(objects);
  return serviceNames.flatMap((service) => {
    const pod = pods.find((one) => one.component === service);
    if (!pod) return [`${service}: has no pod`];
    return ofService(pod, schemas[service], extra).map((error) => `${service}: ${error}`);
  });
}

function ofService(pod: Pod, schema: SettingsSchema, extra: ReadonlySet<string>): string[] {
  const entries = pod.spec.containers[0].env as EnvEntry[];
  const names = entries.map(({ name }) => name);
  const known = (name: string): boolean =>
    name in schema.shape || (name.endsWith('_FILE') && name.slice(0, -5) in schema.shape);
  const secrets = entries.filter(({ name }) => name.endsWith('_FILE'));
  const environment = Object.fromEntries(
    entries.filter(({ name }) => !name.endsWith('_FILE')).map(({ name, value }) => [name, value]),
  );
  for (const { name } of secrets) {
    const setting = name.slice(0, -5);
    if (!isPem.test(setting)) environment[setting] = samples[setting] ?? otherSample;
  }
  return [
    ...names.filter((name) => !known(name) && !extra.has(name)).map((name) => `no setting ${name}`),
    ...names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${name} twice`),
    ...unmounted(pod, secrets),
    ...rejections(schema, environment),
  ];
}

/** Secrets that no text stands for. */
const isPem = /^(?:GRPC|NATS)_TLS_/;

/** Returns settings whose file is not mounted. */
function unmounted(pod: Pod, secrets: readonly EnvEntry[]): string[] {
  const mounts = pod.spec.containers[0].volumeMounts ?? [];
  const at = mounts.find((mount: { mountPath: string }) => `${mount.mountPath}/` === secretsFolder);
  const volume = (pod.spec.volumes ?? []).find((one: { name: string }) => one.name === at?.name);
  const sources: { secret: { items: { path: string }[] } }[] = volume?.projected?.sources ?? [];
  const files = sources.flatMap(({ secret }) =>
    secret.items.map((item) => secretsFolder + item.path),
  );
  return secrets
    .filter(({ value = '' }) => !files.includes(value))
    .map(({ name }) => `${name} names a file that is not mounted`);
}

function rejections(schema: SettingsSchema, environment: Record<string, string | undefined>) {
  try {
    return connectionErrors(commonSettings.parse(readSettings(schema, environment)));
  } catch (error) {
    if (error instanceof SettingsError) return [...error.lines];
    throw error;
  }
}
