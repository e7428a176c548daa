import { settingsSchemas } from '../settings/schemas';
import { networkErrors } from './check-network';
import { unprobed, unrestricted } from './check-pods';
import { brokenReferences } from './check-references';
import { settingsErrors } from './check-settings';
import type { KubeObject } from './objects';

const key = 'app.kubernetes.io/component';
const policy = { automountServiceAccountToken: false, enableServiceLinks: false };

/** A deployment as the chart makes it, small. */
function deployment(): KubeObject {
  const probe = { httpGet: { path: '/healthz', port: 'internal' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'it-ingest' },
    spec: {
      selector: { matchLabels: { [key]: 'ingest' } },
      template: {
        metadata: { labels: { [key]: 'ingest' } },
        spec: {
          ...policy,
          serviceAccountName: 'default',
          terminationGracePeriodSeconds: 30,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              name: 'ingest',
              image: 'bomtrail-ingest:1.0.0',
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              resources: {
                requests: { cpu: 1, memory: '1Gi' },
                limits: { cpu: 1, memory: '1Gi' },
              },
              ports: [{ name: 'internal', containerPort: 9090 }],
              env: [
                { name: 'SHUTDOWN_GRACE_SECONDS', value: '20' },
                { name: 'MONGODB_URI', value: 'mongodb://a/' },
                { name: 'NATS_URL', value: 'nats://a:4222' },
              ],
              startupProbe: { ...probe, periodSeconds: 2, failureThreshold: 60 },
              readinessProbe: probe,
              livenessProbe: probe,
            },
          ],
        },
      },
    },
  };
}

/** What a check says of a deployment in which one thing was changed. */
function changed(
  check: (objects: KubeObject[]) => string[],
  // oxlint-disable-next-line typescript/no-explicit-any -- a pod and its container, to be broken
  change: (pod: any, container: any, object: KubeObject) => unknown,
): string[] {
  const object = deployment();
  const pod = object.spec.template.spec;
  change(pod, pod.containers[0], object);
  return check([object]);
}

test('a restricted pod with probes has no mistakes', () => {
  const objects = [deployment()];
  expect([...unrestricted(objects), ...unprobed(objects), ...brokenReferences(objects)]).toEqual(
    [],
  );
});

test.each<[string, Parameters<typeof changed>[1]]>([
  ['mounts a token', (pod) => delete pod.automountServiceAccountToken],
  ['may run as root', (pod) => delete pod.securityContext.runAsNonRoot],
  ['has a low user id', (pod) => (pod.securityContext.runAsUser = 0)],
  ['is without seccomp', (pod) => delete pod.securityContext.seccompProfile],
  ["mounts a folder of the node's", (pod) => (pod.volumes = [{ name: 'a', hostPath: {} }])],
  ["shares the node's namespaces", (pod) => (pod.hostNetwork = true)],
  ['may gain privileges', (_, one) => delete one.securityContext.allowPrivilegeEscalation],
  ['is privileged', (_, one) => (one.securityContext.privileged = true)],
  ['may write to its image', (_, one) => delete one.securityContext.readOnlyRootFilesystem],
  ['keeps capabilities', (_, one) => (one.securityContext.capabilities.drop = ['KILL'])],
  ['adds capabilities', (_, one) => (one.securityContext.capabilities.add = ['KILL'])],
  ['has no limits', (_, one) => delete one.resources.limits.memory],
  ['requests no resources', (_, one) => delete one.resources.requests],
  ['image without a tag', (_, one) => (one.image = 'host:5000/bomtrail-ingest')],
  ['image without a tag', (_, one) => (one.image = 'bomtrail-ingest:latest')],
])('a pod that is not restricted is seen: %s', (error, change) => {
  expect(changed(unrestricted, change)).toEqual([expect.stringContaining(error)]);
});

test.each<[string, Parameters<typeof changed>[1]]>([
  ['has no livenessProbe', (_, one) => delete one.livenessProbe],
  ['is probed on http', (_, one) => (one.readinessProbe = { httpGet: { port: 'http' } })],
  ['has no time to start', (_, one) => (one.startupProbe.failureThreshold = 3)],
  ['is killed before', (pod) => (pod.terminationGracePeriodSeconds = 20)],
  ['is killed before', (_, one) => (one.lifecycle = { preStop: { sleep: { seconds: 10 } } })],
  ['is killed before', (_, one) => one.env.push({ name: 'SHUTDOWN_DRAIN_SECONDS', value: '10' })],
])('a pod that is probed or stopped wrongly is seen: %s', (error, change) => {
  expect(changed(unprobed, change)).toEqual([expect.stringContaining(error)]);
});

test('a monitor that misses services, or names their job otherwise, is seen', () => {
  const part = 'app.kubernetes.io/part-of';
  const services = Array.from({ length: 6 }, (_, at): KubeObject => {
    const one = deployment();
    one.metadata.name = `it-${at}`;
    one.spec.selector.matchLabels = { at: `${at}` };
    one.spec.template.metadata.labels = { at: `${at}`, [key]: `${at}`, [part]: 'bomtrail' };
    one.spec.template.spec.topologySpreadConstraints = [];
    return one;
  });
  const monitor = (jobLabel: string): KubeObject => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name: 'it' },
    spec: { jobLabel, selector: { matchLabels: { [part]: 'bomtrail' } } },
  });
  expect(brokenReferences([...services, monitor(part)])).toEqual([]);
  expect(brokenReferences([...services, monitor('at')])).toEqual([
    expect.stringContaining('alert'),
  ]);
  expect(brokenReferences([...services.slice(1), monitor(part)])).toEqual([
    expect.stringContaining('5 of 6'),
  ]);
});

test('names and selectors that lead nowhere are seen', () => {
  const pdb: KubeObject = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'it-ingest' },
    spec: { selector: { matchLabels: { [key]: 'catalog' } } },
  };
  const service: KubeObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'it' },
    spec: { selector: { [key]: 'ingest' }, ports: [{ port: 80, targetPort: 'http' }] },
  };
  const account = changed(brokenReferences, (pod) => (pod.serviceAccountName = 'nobody'));
  expect(brokenReferences([deployment(), pdb])).toEqual([expect.stringContaining('selects 0')]);
  expect(brokenReferences([deployment(), service])).toEqual([expect.stringContaining('port http')]);
  expect(account).toEqual([expect.stringContaining('ServiceAccount nobody')]);
});

describe('the environment of a service', () => {
  const schemas = settingsSchemas('src');
  const ofIngest = (objects: KubeObject[]): string[] =>
    settingsErrors(objects, schemas, new Set(['TZ'])).filter((line) => line.startsWith('ingest'));

  test('is right when its parser takes it', () => {
    expect(ofIngest([deployment()])).toEqual([]);
    expect(changed(ofIngest, (_, one) => one.env.push({ name: 'TZ', value: 'UTC' }))).toEqual([]);
  });

  test.each<[string, Parameters<typeof changed>[1]]>([
    ['no setting SMTP_HOST', (_, one) => one.env.push({ name: 'SMTP_HOST', value: 'a' })],
    ['MAX_COMPONENTS', (_, one) => one.env.push({ name: 'MAX_COMPONENTS', value: '6.7e+07' })],
    ['NATS_URL', (_, one) => one.env.pop()],
    ['NATS_USER', (_, one) => one.env.push({ name: 'NATS_USER', value: 'ingest' })],
    ['twice', (_, one) => one.env.push({ name: 'NATS_URL', value: 'nats://a:4222' })],
    [
      'a file that is not mounted',
      (_, one) =>
        one.env.push({ name: 'NATS_TLS_CA_FILE', value: '/etc/bomtrail/secrets/NATS_TLS_CA' }),
    ],
  ])('is wrong otherwise: %s', (error, change) => {
    expect(changed(ofIngest, change)).toEqual([expect.stringContaining(error)]);
  });
});

describe('who reaches whom', () => {
  const pod = (component: string, ports: number[]): KubeObject => {
    const object = deployment();
    object.metadata.name = `it-${component}`;
    object.spec.template.metadata.labels = { [key]: component };
    object.spec.template.spec.containers[0].ports = ports.map((containerPort) => ({
      containerPort,
    }));
    return object;
  };
  const peer = (component: string) => ({ podSelector: { matchLabels: { [key]: component } } });
  const policyOf = (component: string, spec: object): KubeObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: component },
    spec: { ...peer(component), ingress: [], egress: [], ...spec },
  });
  const toNats = { to: [peer('nats')], ports: [{ port: 4222 }] };
  const pods = [pod('ingest', [9090]), pod('catalog', [9090]), pod('nats', [4222])];
  const ingest = policyOf('ingest', { egress: [toNats] });
  const catalog = policyOf('catalog', { egress: [toNats] });
  const nats = policyOf('nats', {
    ingress: [{ from: [peer('ingest'), peer('catalog')], ports: [{ port: 4222 }] }],
  });
  const about = (objects: KubeObject[]): string[] =>
    networkErrors(objects).filter((line) => /ingest|catalog/.test(line));

  test('the way to NATS is open, from both ends', () => {
    expect(about([...pods, ingest, catalog, nats])).toEqual([]);
    const closed = policyOf('nats', {});
    expect(about([...pods, ingest, catalog, closed])).toContain(
      'not let through: ingest nats 4222',
    );
    expect(about([...pods, ingest, policyOf('catalog', {}), nats])).toContain(
      'not let through: catalog nats 4222',
    );
  });

  test('a way in for whoever else is in the namespace is seen', () => {
    const open = policyOf('nats', { ingress: [{ from: [{ podSelector: {} }] }] });
    expect(networkErrors([...pods, ingest, catalog, open])).toContain(
      'open to strangers: nats 4222',
    );
    const anybody = policyOf('ingest', {
      egress: [toNats],
      ingress: [{ ports: [{ port: 9090 }] }],
    });
    expect(about([...pods, anybody, catalog, nats])).toContain('open to strangers: ingest 9090');
  });

  test('a way from service to service, out of the cluster, or a pod without a policy is seen', () => {
    const talks = policyOf('ingest', { egress: [toNats, { to: [peer('catalog')] }] });
    const listens = policyOf('catalog', {
      egress: [toNats],
      ingress: [{ from: [peer('ingest')] }],
    });
    expect(about([...pods, talks, listens, nats])).toEqual(['let through: ingest catalog 9090']);
    const roams = policyOf('ingest', {
      egress: [toNats, { to: [{ ipBlock: { cidr: '0.0.0.0/0' } }], ports: [{ port: 443 }] }],
    });
    expect(about([...pods, roams, catalog, nats])).toEqual(['ingest reaches the internet on 443']);
    expect(about([...pods, ingest, nats])).toContain('Deployment it-catalog has 0 policies');
  });
});
