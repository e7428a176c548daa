import path from 'node:path';
import { freePorts, startNats } from '@bomtrail/embedded';
import { endNodes, type Cluster, type ClusterNode } from './nodes';

/** A stream of the cluster. */
export interface StreamInfo {
  name: string;
  replicas: number;
  /** Name of the node; undefined during an election. */
  leader: string | undefined;
}

export interface NatsCluster extends Cluster {
  /** Name of the meta leader; undefined during an election. */
  metaLeader(): Promise<string | undefined>;
  streams(): Promise<StreamInfo[]>;
}

interface JetStreamState {
  meta_cluster?: { leader?: string };
  account_details?: {
    stream_detail?: {
      name: string;
      config: { num_replicas: number };
      cluster?: { leader?: string };
    }[];
  }[];
}

const answerMs = 2_000;

/** Starts a JetStream cluster of `size` nats-servers in folders below `dataDir`. */
export async function startNatsCluster(options: {
  binary: string;
  dataDir: string;
  size: number;
}): Promise<NatsCluster> {
  const { binary, dataDir, size } = options;
  const names = Array.from({ length: size }, (_, index) => `nats-${index + 1}`);
  const ports = await freePorts(3 * size);
  const portsOf = (index: number) =>
    ports.slice(3 * index, 3 * index + 3) as [number, number, number];
  const routes = names.map((_, index) => `nats://127.0.0.1:${portsOf(index)[1]}`);
  const nodes = await Promise.all(
    names.map(async (name, index): Promise<ClusterNode & { monitor: string }> => {
      const [port, routePort, monitorPort] = portsOf(index);
      const config = [
        `http: "127.0.0.1:${monitorPort}"`,
        'cluster {',
        '  name: "bomtrail"',
        `  listen: "127.0.0.1:${routePort}"`,
        `  routes: ${JSON.stringify(routes)}`,
        '}',
      ].join('\n');
      const folder = path.join(dataDir, name);
      const server = await startNats({ binary, dataDir: folder, port, serverName: name, config });
      return { name, server, monitor: `http://127.0.0.1:${monitorPort}` };
    }),
  );

  /** Returns the state of all nodes that respond. */
  async function states(): Promise<JetStreamState[]> {
    const query = 'accounts=true&streams=true&config=true';
    const texts = await Promise.all(nodes.map(({ monitor }) => textOf(`${monitor}/jsz?${query}`)));
    return texts.flatMap((text) =>
      text === undefined ? [] : (JSON.parse(text) as JetStreamState),
    );
  }

  async function metaLeader(): Promise<string | undefined> {
    const leaders = (await states()).flatMap(({ meta_cluster }) => meta_cluster?.leader || []);
    return leaders[0];
  }

  return {
    nodes,
    url: nodes.map(({ server }) => server.url).join(','),
    async isWhole() {
      if (!(await metaLeader())) return false;
      const healthy = await Promise.all(nodes.map(({ monitor }) => textOf(`${monitor}/healthz`)));
      return healthy.every((text) => text !== undefined);
    },
    metaLeader,
    async streams() {
      const streamsByName = new Map<string, StreamInfo>();
      // Each node lists its own streams.
      for (const { account_details = [] } of await states())
        for (const { name, config, cluster } of account_details.flatMap(
          ({ stream_detail = [] }) => stream_detail,
        )) {
          const leader = cluster?.leader || streamsByName.get(name)?.leader;
          streamsByName.set(name, { name, replicas: config.num_replicas, leader });
        }
      return [...streamsByName.values()];
    },
    stop: () => endNodes(nodes),
  };
}

/** The body of a 200; undefined for anything else. */
async function textOf(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    return response.ok ? text : undefined;
  } catch {
    return undefined;
  }
}
