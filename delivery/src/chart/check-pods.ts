import { nameOf, ofKind, type KubeObject, type Pod, podsOf } from './objects';

/** Lower ids may belong to users of the node (usual rule of policy engines). */
const lowestUserId = 10_000;
/** Minimum time for a start before a process counts as dead. */
const leastStartupSeconds = 60;

/**
 * Checks every pod against the "restricted" standard of Kubernetes, plus: no token, read-only root, bounded
 * resources. Returns the errors.
 */
export function unrestricted(objects: readonly KubeObject[]): string[] {
  const pods = podsOf(objects).flatMap((pod) => [
    ...podFaults(pod).map((fault) => `${pod.name}: ${fault}`),
    ...allContainers(pod).flatMap((container) =>
      containerFaults(container).map((fault) => `${pod.name}, ${container.name}: ${fault}`),
    ),
  ]);
  const accounts = ofKind(objects, 'ServiceAccount')
    .filter((account) => account.automountServiceAccountToken !== false)
    .map((account) => `${nameOf(account)}: mounts its token`);
  return [...pods, ...accounts];
}

function podFaults({ spec }: Pod): string[] {
  const security = spec.securityContext ?? {};
  const hostPaths = (spec.volumes ?? []).filter((volume: object) => 'hostPath' in volume);
  return faults([
    [spec.automountServiceAccountToken === false, 'mounts a token'],
    [spec.enableServiceLinks === false, 'has the environment variables of other services'],
    [!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, "shares the node's namespaces"],
    [hostPaths.length === 0, "mounts a folder of the node's"],
    [security.runAsNonRoot === true, 'may run as root'],
    [security.runAsUser === undefined || security.runAsUser >= lowestUserId, 'has a low user id'],
    [security.seccompProfile?.type === 'RuntimeDefault', 'is without seccomp'],
  ]);
}

// oxlint-disable-next-line typescript/no-explicit-any -- a Container, of which few fields are read
function containerFaults({ securityContext = {}, resources = {}, image = '' }: any): string[] {
  const { requests = {}, limits = {} } = resources;
  return faults([
    [securityContext.allowPrivilegeEscalation === false, 'may gain privileges'],
    [!securityContext.privileged, 'is privileged'],
    [securityContext.readOnlyRootFilesystem === true, 'may write to its image'],
    [securityContext.capabilities?.drop?.includes('ALL') === true, 'keeps capabilities'],
    [!securityContext.capabilities?.add, 'adds capabilities'],
    [Boolean(requests.cpu && requests.memory), 'requests no resources'],
    [Boolean(limits.cpu && limits.memory), 'has no limits'],
    [/:[^:/]+$/.test(image) && !image.endsWith(':latest'), `has an image without a tag: ${image}`],
  ]);
}

/** Checks probes, ports and termination of serving pods. Returns the errors. */
export function unprobed(objects: readonly KubeObject[]): string[] {
  const serving = podsOf(objects).filter(({ owner }) => owner.kind !== 'Pod');
  return serving.flatMap((pod) => {
    const [container] = pod.spec.containers;
    const ports = (container.ports ?? []).map((port: { name: string }) => port.name);
    const probes = ['startupProbe', 'readinessProbe', 'livenessProbe'];
    const missing = probes.filter((probe) => !container[probe]).map((probe) => `has no ${probe}`);
    const elsewhere = probes
      .map((probe) => (container[probe]?.httpGet ?? container[probe]?.tcpSocket)?.port)
      .filter((port) => port !== undefined && !ports.includes(port));
    const { periodSeconds = 10, failureThreshold = 3 } = container.startupProbe ?? {};
    return [
      ...missing,
      ...elsewhere.map((port) => `is probed on ${port}, which it has not`),
      ...faults([
        [periodSeconds * failureThreshold >= leastStartupSeconds, 'has no time to start'],
        [hasTimeToStop(pod), 'is killed before its own grace period is over'],
      ]),
    ].map((fault) => `${pod.name}: ${fault}`);
  });
}

/** Checks that the grace period covers the hook, `SHUTDOWN_DRAIN_SECONDS` and `SHUTDOWN_GRACE_SECONDS`. */
function hasTimeToStop({ spec }: Pod): boolean {
  const [container] = spec.containers;
  const env: { name: string; value?: string }[] = container.env ?? [];
  const seconds = (setting: string) => Number(env.find(({ name }) => name === setting)?.value ?? 0);
  const preStop = container.lifecycle?.preStop?.sleep?.seconds ?? 0;
  const own = seconds('SHUTDOWN_DRAIN_SECONDS') + seconds('SHUTDOWN_GRACE_SECONDS');
  return spec.terminationGracePeriodSeconds > preStop + own;
}

function allContainers({ spec }: Pod) {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** Returns the texts of failed conditions. */
function faults(checks: readonly (readonly [holds: boolean, otherwise: string])[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, otherwise]) => otherwise);
}
