import { rights, serviceNames, type ServiceName } from '@bomtrail/messages';
import { portsOf } from './check-references';
import { ofKind, podsOf, selects, type KubeObject, type Pod, type Selector } from './objects';

interface Rule {
  ports?: { port: number; protocol: string }[];
  from?: Peer[];
  to?: Peer[];
}

interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string };
}

/** Public ports. */
const transports = ['gateway 8080', 'gateway 50051'];

/** Feeds and webhooks; the notifier also speaks to mail servers, the gateway to an identity provider if it has one. */
function outwardOf(service: ServiceName, pod: Pod | undefined): readonly number[] {
  if (service === 'scanner') return [443];
  if (service === 'notifier') return [443, 587, 465, 25];
  const settings: { name: string }[] = pod?.spec.containers[0].env ?? [];
  return settings.some(({ name }) => name === 'OIDC_ISSUER') ? [443] : [];
}

/**
 * Returns the connections within a release that the policies allow, like `scanner nats 4222`. Both ends must allow a
 * connection. Peers in other namespaces are ignored.
 */
export function connections(objects: readonly KubeObject[]): string[] {
  const pods = podsOf(objects);
  const policies = ofKind(objects, 'NetworkPolicy');
  const of = (pod: Pod): KubeObject[] =>
    policies.filter((policy) => selects(policy.spec.podSelector, pod.labels));
  const lets = (rules: Rule[], other: Pod, port: number): boolean =>
    rules.some((rule) => reaches(rule, other.labels, port));
  return pods.flatMap((from) =>
    pods.flatMap((to) =>
      portsOf(to)
        .map(({ containerPort }) => containerPort)
        .filter((port) => of(from).some((policy) => lets(policy.spec.egress, to, port)))
        .filter((port) => of(to).some((policy) => lets(policy.spec.ingress, from, port)))
        .map((port) => `${from.component} ${to.component} ${port}`),
    ),
  );
}

function reaches(rule: Rule, labels: Pod['labels'], port: number): boolean {
  const peers = rule.from ?? rule.to;
  const peer =
    peers === undefined ||
    peers.some(
      (one) => one.podSelector && !one.namespaceSelector && selects(one.podSelector, labels),
    );
  return peer && (rule.ports ?? [{ port }]).some((one) => one.port === port);
}

/**
 * Checks that the policies of a release with bundled servers allow exactly the required connections: each service to
 * NATS and MongoDB, no service to another.
 */
export function networkErrors(objects: readonly KubeObject[]): string[] {
  const pods = podsOf(objects);
  const has = (component: string): boolean => pods.some((pod) => pod.component === component);
  const onBus = serviceNames.filter((service) =>
    Object.values(rights[service]).some((list) => list.length > 0),
  );
  const expected = [
    ...(has('nats') ? onBus.map((service) => `${service} nats 4222`) : []),
    ...(has('mongodb') ? serviceNames.map((service) => `${service} mongodb 27017`) : []),
    ...(has('mongodb') ? ['mongodb mongodb 27017'] : []),
    ...(has('test') ? ['test gateway 8080'] : []),
  ];
  const found = connections(objects);
  return [
    ...expected.filter((one) => !found.includes(one)).map((one) => `not let through: ${one}`),
    ...found.filter((one) => !expected.includes(one)).map((one) => `let through: ${one}`),
    ...opened(objects),
    ...pods.flatMap((pod) => {
      const own = ofKind(objects, 'NetworkPolicy').filter((policy) =>
        selects(policy.spec.podSelector, pod.labels),
      );
      return own.length === 1 ? [] : [`${pod.name} has ${own.length} policies`];
    }),
    ...serviceNames.flatMap((service) => outwardErrors(service, objects)),
  ];
}

/** Returns what other pods of the namespace can reach besides the public endpoints. */
function opened(objects: readonly KubeObject[]): string[] {
  const pods = podsOf(objects);
  return pods.flatMap((pod) =>
    portsOf(pod)
      .map(({ containerPort }) => `${pod.component} ${containerPort}`)
      .filter((endpoint) => !transports.includes(endpoint))
      .filter((endpoint) =>
        ofKind(objects, 'NetworkPolicy')
          .filter((policy) => selects(policy.spec.podSelector, pod.labels))
          .some(({ spec }) => letsStrangers(spec.ingress, Number(endpoint.split(' ')[1]))),
      )
      .map((endpoint) => `open to strangers: ${endpoint}`),
  );
}

function letsStrangers(rules: readonly Rule[], port: number): boolean {
  return rules.some((rule) => reaches(rule, {}, port));
}

/** Checks the ports on which services reach addresses outside the cluster. */
function outwardErrors(service: ServiceName, objects: readonly KubeObject[]): string[] {
  const policy = ofKind(objects, 'NetworkPolicy').find(
    (one) => one.spec.podSelector.matchLabels['app.kubernetes.io/component'] === service,
  );
  const rules: Rule[] = policy?.spec.egress ?? [];
  const open = rules
    .filter((rule) => rule.to?.some((peer) => peer.ipBlock?.cidr === '0.0.0.0/0'))
    .flatMap((rule) => (rule.ports ?? [{ port: 0 }]).map(({ port }) => port));
  const pod = podsOf(objects).find(({ component }) => component === service);
  const wanted = outwardOf(service, pod);
  return open.sort().join() === [...wanted].sort().join()
    ? []
    : [`${service} reaches the internet on ${open.join() || 'no port'}`];
}
