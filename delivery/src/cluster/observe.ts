import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from './start-cluster';

/** What is read of an object of the cluster. */
export interface Observed {
  kind: string;
  metadata: {
    name: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec?: { nodeName?: string; replicas?: number; containers?: { image: string }[] };
  status?: {
    phase?: string;
    disruptionsAllowed?: number;
    expectedPods?: number;
    readyReplicas?: number;
  };
}

/** A release of the chart. */
export interface Release {
  cluster: Cluster;
  namespace: string;
  name: string;
}

const patienceMs = 60_000;

/** Objects of a release. */
export async function objectsOf(
  { cluster, namespace, name }: Release,
  kinds: string,
): Promise<Observed[]> {
  const of = ['--namespace', namespace, '-l', `app.kubernetes.io/instance=${name}`];
  const { stdout, stderr, code } = await cluster.kubectl(['get', kinds, ...of, '-o', 'json']);
  if (code !== 0) throw new Error(stderr.trim());
  return (JSON.parse(stdout) as { items: Observed[] }).items;
}

/** Workloads without all of their pods after a while, with what the cluster says about them. */
export async function missingPods(release: Release): Promise<string[]> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const workloads = await objectsOf(release, 'deployments,statefulsets');
    const pods = await objectsOf(release, 'pods');
    const short = workloads
      .filter(({ spec, status }) => (status?.readyReplicas ?? 0) !== (spec?.replicas ?? 0))
      .map(({ kind, metadata }) => `${kind} ${metadata.name} has not all of its pods`);
    const leaving = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    const none = workloads.length === 0 ? ['the release has no workloads'] : [];
    if (short.length + leaving.length + none.length === 0) return [];
    if (Date.now() > end) return [...none, ...short, ...(await warnings(release))];
    await delay(500);
  }
}

/** Services of several pods that stand on one node, and budgets that forbid every disruption of several pods. */
export async function podErrors(release: Release): Promise<string[]> {
  const nodes = new Map<string, (string | undefined)[]>();
  for (const { metadata, spec } of await objectsOf(release, 'pods')) {
    const component = metadata.labels?.['app.kubernetes.io/component'] ?? metadata.name;
    nodes.set(component, [...(nodes.get(component) ?? []), spec?.nodeName]);
  }
  const crowded = [...nodes].filter(([, on]) => on.length > 1 && new Set(on).size === 1);
  const budgets = await objectsOf(release, 'pdb');
  const forbidding = budgets.filter(
    ({ status }) => (status?.expectedPods ?? 0) > 1 && (status?.disruptionsAllowed ?? 0) < 1,
  );
  return [
    ...crowded.map(([component]) => `all pods of ${component} are on one node`),
    ...forbidding.map(({ metadata }) => `the budget ${metadata.name} allows no disruption`),
  ];
}

async function warnings({ cluster, namespace }: Release): Promise<string[]> {
  const of = ['--namespace', namespace, '--field-selector', 'type=Warning'];
  const { stdout } = await cluster.kubectl(['get', 'events', ...of, '-o', 'json']);
  const events = JSON.parse(stdout) as { items: { message: string }[] };
  return [...new Set(events.items.map(({ message }) => message))].slice(0, 8);
}
