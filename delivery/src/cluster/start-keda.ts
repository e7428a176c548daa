import { freePorts } from '@bomtrail/embedded';
import { stringify } from 'yaml';
import { createProgramGroup } from '../tools/program-group';
import type { KedaPrograms } from './programs';
import type { Cluster } from './start-cluster';

/** KEDA's operator and metrics server, beside a cluster. */
export interface Keda {
  stop(): Promise<void>;
}

const readyMs = 90_000;
const namespace = 'keda';
const service = 'keda-metrics-apiserver';
const apiService = 'v1beta1.external.metrics.k8s.io';

/**
 * Starts both, and lets the API pass external metrics on to them.
 *
 * @param folder for logs
 * @throws Error if the API does not reach them in time
 */
export async function startKeda(
  programs: KedaPrograms,
  { cluster, folder }: { cluster: Cluster; folder: string },
): Promise<Keda> {
  const [metrics = 0, health = 0, grpc = 0, secure = 0, own = 0] = await freePorts(5);
  const { certificates, kubeconfig } = cluster;
  const group = createProgramGroup(folder);
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    POD_NAMESPACE: namespace,
    KEDA_CLUSTER_OBJECT_NAMESPACE: namespace,
    // All.
    WATCH_NAMESPACE: '',
  };
  const start = (name: keyof KedaPrograms, args: readonly string[]): void =>
    group.start(name, programs[name], { args, env });
  await cluster.kubectl(['apply'], extensionAt(secure));
  start('keda', [
    `--metrics-bind-address=127.0.0.1:${metrics}`,
    `--health-probe-bind-address=127.0.0.1:${health}`,
    `--metrics-service-bind-address=127.0.0.1:${grpc}`,
    `--cert-dir=${certificates.folder}`,
  ]);
  start('keda-adapter', [
    ...[`--secure-port=${secure}`, `--port=${own}`, `--cert-dir=${certificates.folder}`],
    `--tls-cert-file=${certificates.certificate}`,
    `--tls-private-key-file=${certificates.key}`,
    `--metrics-service-address=localhost:${grpc}`,
    ...['', 'authentication-', 'authorization-', 'lister-'].map(
      (what) => `--${what}kubeconfig=${kubeconfig}`,
    ),
  ]);
  const condition = ['wait', '--for=condition=Available', 'apiservice', apiService];
  const connectionError = async (): Promise<string | null> => {
    const { code, stderr } = await cluster.kubectl([...condition, '--timeout=2s']);
    return code === 0 ? null : stderr.trim();
  };
  await group.untilReady(connectionError, {
    what: 'The API does not reach KEDA',
    withinMs: readyMs,
  });
  return { stop: group.stop };
}

/** A name outside the cluster: an address of this machine itself is no endpoint. */
function extensionAt(port: number): string {
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: service, namespace },
      spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ name: 'https', port }] },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: apiService },
      spec: {
        service: { name: service, namespace, port },
        group: 'external.metrics.k8s.io',
        version: 'v1beta1',
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  ]
    .map((one) => stringify(one))
    .join('---\n');
}
