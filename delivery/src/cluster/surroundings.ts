import { stringify } from 'yaml';

const zones = ['a', 'b', 'c'];
const classes = ['standard', 'fast'];

/** What a cluster has before a release: a node in each of three zones, storage, a priority class, a namespace of the monitoring. */
export function surroundings(): string {
  return asYaml([
    ...zones.map((zone) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: {
        name: `node-${zone}`,
        annotations: { 'kwok.x-k8s.io/node': 'fake' },
        labels: {
          'kubernetes.io/arch': 'amd64',
          'kubernetes.io/hostname': `node-${zone}`,
          'topology.kubernetes.io/zone': zone,
        },
      },
      status: {
        allocatable: { cpu: '32', memory: '128Gi', pods: '110', 'ephemeral-storage': '500Gi' },
        capacity: { cpu: '32', memory: '128Gi', pods: '110', 'ephemeral-storage': '500Gi' },
      },
    })),
    ...classes.map((name) => ({
      apiVersion: 'storage.k8s.io/v1',
      kind: 'StorageClass',
      metadata: {
        name,
        annotations: { 'storageclass.kubernetes.io/is-default-class': String(name === 'standard') },
      },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'Immediate',
    })),
    ...classes.flatMap((storageClassName) =>
      Array.from({ length: 24 }, (_, at) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: `${storageClassName}-${at}` },
        spec: {
          storageClassName,
          capacity: { storage: '100Gi' },
          accessModes: ['ReadWriteOnce'],
          hostPath: { path: `/volumes/${storageClassName}-${at}` },
        },
      })),
    ),
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'important' },
      value: 1000,
    },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'monitoring' } },
  ]);
}

/** A namespace under the `restricted` level, whose quota admits only pods that say what they need; with the volume that a value set mounts. */
export function namespaceOf(name: string): string {
  return asYaml([
    {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        labels: {
          'pod-security.kubernetes.io/enforce': 'restricted',
          'pod-security.kubernetes.io/enforce-version': 'latest',
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'bounded', namespace: name },
      spec: {
        hard: {
          pods: '60',
          'requests.cpu': '40',
          'requests.memory': '120Gi',
          'limits.memory': '240Gi',
        },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'advisories', namespace: name },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
  ]);
}

/** Violates the `restricted` level; it keeps within the quota. */
export const podWithTooManyRights = asYaml([
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'root' },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'root',
          image: 'root',
          resources: {
            requests: { cpu: '1', memory: '1Gi' },
            limits: { memory: '1Gi' },
          },
        },
      ],
    },
  },
]);

function asYaml(objects: readonly object[]): string {
  return objects.map((one) => stringify(one)).join('---\n');
}
