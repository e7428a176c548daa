import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { stringify } from 'yaml';
import type { Values } from './files';
import { render } from './render';

const servers = {
  mongodb: { bundled: { enabled: true } },
  nats: { bundled: { enabled: true } },
};

/** Invalid values with the expected error of helm. */
const refused: readonly { why: string; values: Values; says: RegExp }[] = [
  { why: 'no registry', values: servers, says: /image\.registry: set the registry and path/ },
  {
    why: 'a registry for some services only',
    values: { ...servers, gateway: { image: { repository: 'registry.example.org/gateway' } } },
    says: /image\.registry: set the registry and path/,
  },
  { why: 'no database', values: {}, says: /mongodb: set uri/ },
  { why: 'no bus', values: { mongodb: servers.mongodb }, says: /nats: set url/ },
  {
    why: 'copies of streams on one server',
    values: { ...servers, nats: { ...servers.nats, replicas: 3 } },
    says: /replicas needs a cluster of yours/,
  },
  {
    why: 'two databases',
    values: { ...servers, mongodb: { uri: 'mongodb://a/', bundled: { enabled: true } } },
    says: /not both/,
  },
  {
    why: 'a password in an address',
    values: { ...servers, mongodb: { uri: 'mongodb://me:secret@a/' } },
    says: /don't meet the specifications/,
  },
  {
    why: 'a secret as a plain value',
    values: { ...servers, notifier: { env: { SMTP_PASSWORD: 'x' } } },
    says: /don't meet the specifications/,
  },
  {
    why: 'a setting that the chart makes',
    values: { ...servers, gateway: { env: { HTTP_PORT: 80 } } },
    says: /don't meet the specifications/,
  },
  {
    why: 'a value that does not exist',
    values: { ...servers, gateway: { replicaCount: 3 } },
    says: /don't meet the specifications/,
  },
  {
    why: 'KEDA for a service without queues',
    values: { ...servers, gateway: { autoscaling: { type: 'keda' } } },
    says: /gateway.autoscaling: keda needs triggers/,
  },
  {
    why: 'KEDA without an endpoint',
    values: {
      mongodb: servers.mongodb,
      nats: { url: 'nats://a:4222' },
      scanner: { autoscaling: { type: 'keda' } },
    },
    says: /nats.monitoringEndpoint/,
  },
  {
    why: 'KEDA that ends the last process of a service',
    values: { ...servers, scanner: { autoscaling: { type: 'keda', minReplicas: 0 } } },
    says: /don't meet the specifications/,
  },
  {
    why: 'a route without a gateway',
    values: { ...servers, gatewayApi: { enabled: true } },
    says: /parentRefs is empty/,
  },
  {
    why: 'a setting from two places',
    values: {
      ...servers,
      notifier: { env: { SMTP_HOST: 'a' }, secretEnv: { SMTP_HOST: { secret: 's', key: 'k' } } },
    },
    says: /comes from a Secret and as a plain value/,
  },
  {
    why: 'seconds to drain that the grace period does not count',
    values: {
      ...servers,
      defaults: { extraEnv: [{ name: 'SHUTDOWN_DRAIN_SECONDS', value: '60' }] },
    },
    says: /SHUTDOWN_DRAIN_SECONDS belongs into env/,
  },
];

/** Checks that the chart rejects invalid values with the expected reason. Returns the failures. */
export async function wronglyTaken(helm: string): Promise<string[]> {
  return withTemporaryFolder('values', async (folder) => {
    const errors: string[] = [];
    for (const { why, values, says } of refused) {
      const file = path.join(folder, 'values.yaml');
      await writeFile(file, stringify(values));
      const answer = await render(helm, [file]).then(
        () => 'rendered',
        (error: Error) => error.message,
      );
      if (!says.test(answer)) errors.push(`${why}: ${answer}`);
    }
    return errors;
  });
}
