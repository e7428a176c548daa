import type { RunningServer } from '@bomtrail/embedded';

/** A server of a cluster; a restart continues with its data. */
export interface ClusterNode {
  name: string;
  server: RunningServer;
}

/** A cluster of mongods or nats-servers on this machine. */
export interface Cluster {
  /** URL of all nodes, for clients. */
  url: string;
  nodes: readonly ClusterNode[];
  /** True if every node is running and in sync. */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Kills all nodes: their data is not needed any more. */
export async function endNodes(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { server } of nodes) server.kill('SIGKILL');
  await Promise.all(nodes.map(({ server }) => server.exited));
}
