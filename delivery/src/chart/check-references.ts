import { nameOf, ofKind, podsOf, same, selects, type KubeObject, type Pod } from './objects';

/** Checks references and selectors between objects. Returns the errors. */
export function brokenReferences(objects: readonly KubeObject[]): string[] {
  const pods = podsOf(objects);
  return [
    ...ofKind(objects, 'Deployment', 'StatefulSet').flatMap((one) => selectsOwn(one, pods)),
    ...ofKind(objects, 'Service').flatMap((service) => servicePorts(service, pods)),
    ...ofKind(objects, 'PodDisruptionBudget').flatMap((pdb) => budget(pdb, pods)),
    ...ofKind(objects, 'PodMonitor', 'ServiceMonitor').flatMap((one) => monitor(one, objects)),
    ...ofKind(objects, 'HorizontalPodAutoscaler', 'ScaledObject').flatMap((one) =>
      isThere(objects, one, one.spec.scaleTargetRef),
    ),
    ...pods.flatMap((pod) => accounts(pod, objects)),
    ...ofKind(objects, 'Ingress').flatMap((one) => ingressBackends(one, objects)),
    ...ofKind(objects, 'HTTPRoute', 'GRPCRoute').flatMap((one) => routeBackends(one, objects)),
  ];
}

function selectsOwn(one: KubeObject, pods: readonly Pod[]): string[] {
  const chosen = pods.filter((pod) => selects(one.spec.selector, pod.labels));
  const own = chosen.length === 1 && chosen[0]?.owner === one;
  const spreads = one.spec.template.spec.topologySpreadConstraints ?? [];
  const stray = spreads.some(
    (spread: { labelSelector: object }) => !same(spread.labelSelector, one.spec.selector),
  );
  return [
    ...(own
      ? []
      : [`${nameOf(one)} selects ${chosen.map((pod) => pod.name).join(', ') || 'none'}`]),
    ...(stray ? [`${nameOf(one)} spreads other pods than its own`] : []),
  ];
}

function servicePorts(service: KubeObject, pods: readonly Pod[]): string[] {
  if (service.spec.type === 'ExternalName') return [];
  const chosen = pods.filter((pod) => selects({ matchLabels: service.spec.selector }, pod.labels));
  if (chosen.length === 0) return [`${nameOf(service)} selects no pod`];
  const ports: { targetPort: string }[] = service.spec.ports;
  return chosen.flatMap((pod) => {
    const has = portsOf(pod).map((port) => port.name);
    const missing = ports.filter((port) => !has.includes(port.targetPort));
    return missing.map((port) => `${nameOf(service)}: ${pod.name} has no port ${port.targetPort}`);
  });
}

function budget(pdb: KubeObject, pods: readonly Pod[]): string[] {
  const chosen = pods.filter((pod) => selects(pdb.spec.selector, pod.labels));
  const own = chosen.length === 1 && chosen[0]?.owner.metadata.name === pdb.metadata.name;
  return own ? [] : [`${nameOf(pdb)} selects ${chosen.length} kinds of pods`];
}

/** Job name pattern of the alert rules (deploy/observability/alert-rules.yaml). */
const jobOfAlerts = 'bomtrail';

function monitor(one: KubeObject, objects: readonly KubeObject[]): string[] {
  const ofServices = one.kind === 'ServiceMonitor';
  const labels = ofServices
    ? ofKind(objects, 'Service').map((service) => service.metadata.labels ?? {})
    : podsOf(objects).map((pod) => pod.labels);
  const chosen = labels.filter((set) => selects(one.spec.selector, set));
  const named = chosen.every((set) => set[one.spec.jobLabel]?.includes(jobOfAlerts));
  return [
    ...(chosen.length === 6 ? [] : [`${nameOf(one)} finds ${chosen.length} of 6 services`]),
    ...(named ? [] : [`${nameOf(one)} names jobs that no alert asks for`]),
  ];
}

function isThere(
  objects: readonly KubeObject[],
  from: KubeObject,
  to: { kind: string; name: string },
): string[] {
  const found = ofKind(objects, to.kind).some((object) => object.metadata.name === to.name);
  return found ? [] : [`${nameOf(from)} names ${to.kind} ${to.name}, which is not there`];
}

function accounts(pod: Pod, objects: readonly KubeObject[]): string[] {
  const name = pod.spec.serviceAccountName;
  return name === 'default' ? [] : isThere(objects, pod.owner, { kind: 'ServiceAccount', name });
}

function ingressBackends(ingress: KubeObject, objects: readonly KubeObject[]): string[] {
  const rules: { http: { paths: { backend: { service: Backend } }[] } }[] = ingress.spec.rules;
  const backends = rules.flatMap((rule) => rule.http.paths.map((path) => path.backend.service));
  return backends.flatMap(({ name, port }) => {
    const ports = servicePortsOf(name, objects);
    const right = ports.some((one) => one.name === port.name || one.port === port.number);
    return right ? [] : [`${nameOf(ingress)} leads to ${name}, which has no such port`];
  });
}

interface Backend {
  name: string;
  port: { name?: string; number?: number };
}

function routeBackends(route: KubeObject, objects: readonly KubeObject[]): string[] {
  const rules: { backendRefs: { name: string; namespace?: string; port: number }[] }[] =
    route.spec.rules;
  const own = rules.flatMap((rule) => rule.backendRefs).filter((one) => !one.namespace);
  return own
    .filter((one) => !servicePortsOf(one.name, objects).some(({ port }) => port === one.port))
    .map((one) => `${nameOf(route)} leads to ${one.name}, which has no port ${one.port}`);
}

function servicePortsOf(
  name: string,
  objects: readonly KubeObject[],
): { name: string; port: number }[] {
  const service = ofKind(objects, 'Service').find((one) => one.metadata.name === name);
  return service?.spec.ports ?? [];
}

/** The ports of a pod's first container. */
export function portsOf(pod: Pod): { name: string; containerPort: number }[] {
  return pod.spec.containers[0].ports ?? [];
}
