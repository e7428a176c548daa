import type { RunningServer } from '@bomtrail/embedded';

/** One server of a cluster, which goes on with its data after it was killed. */
export interface ClusterNode {
  name: string;
  server: RunningServer;
}

/** A cluster of one kind of servers on this machine. */
export interface Cluster {
  /** What a client connects to: all nodes. */
  url: string;
  nodes: readonly ClusterNode[];
  /** Does every node run with all that the others have? */
  isWhole(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Ends all of them at once: nobody needs what they hold any more. */
export async function endNodes(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { server } of nodes) server.kill('SIGKILL');
  await Promise.all(nodes.map(({ server }) => server.exited));
}
