import { podsOf, type KubeObject } from './objects';

/** Kinds of objects that a value set must or must not create. */
const kinds: Readonly<Record<string, { all: readonly string[]; only?: true }>> = {
  'all-off': { all: ['Deployment', 'Service'], only: true },
  'all-on': {
    all: [
      'ConfigMap',
      'Deployment',
      'GRPCRoute',
      'HTTPRoute',
      'HorizontalPodAutoscaler',
      'Ingress',
      'NetworkPolicy',
      'Pod',
      'PodDisruptionBudget',
      'PrometheusRule',
      'ReferenceGrant',
      'ScaledObject',
      'Secret',
      'Service',
      'ServiceAccount',
      'ServiceMonitor',
      'StatefulSet',
    ],
    only: true,
  },
  external: { all: ['Ingress', 'NetworkPolicy', 'PodDisruptionBudget'] },
  keda: { all: ['HorizontalPodAutoscaler', 'PodMonitor', 'ScaledObject'] },
  minimal: { all: ['Secret', 'StatefulSet', 'Pod'] },
  openshift: { all: ['NetworkPolicy'] },
};

/** Checks the kinds of objects of a value set; an unknown value set is an error. */
export function kindErrors(set: string, objects: readonly KubeObject[]): string[] {
  const wanted = kinds[set];
  if (!wanted) return [`nothing says what the value set ${set} is for`];
  const made = new Set(objects.map((object) => object.kind));
  return [
    ...wanted.all.filter((kind) => !made.has(kind)).map((kind) => `no ${kind}`),
    ...[...made]
      .filter((kind) => wanted.only && !wanted.all.includes(kind))
      .map((kind) => `a ${kind} although it should have none`),
    ...(set === 'openshift' ? fixedIds(objects) : []),
  ];
}

function fixedIds(objects: readonly KubeObject[]): string[] {
  return podsOf(objects)
    .filter(({ spec }) =>
      ['runAsUser', 'runAsGroup', 'fsGroup'].some((id) => id in spec.securityContext),
    )
    .map(({ name }) => `${name} has a fixed id`);
}
