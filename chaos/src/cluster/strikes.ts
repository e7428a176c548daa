import {
  shuffled,
  type ClusterNode,
  type Draw,
  type MongodSet,
  type NatsCluster,
} from '@bomtrail/testkit';

export interface Clusters {
  nats: NatsCluster;
  mongod: MongodSet;
}

/** Nodes that are killed together. */
export interface Strike {
  /** What they are at that moment, for a person. */
  what: string;
  /** Which ones; not found while an election is on. */
  choose(clusters: Clusters, draw: Draw): Promise<(ClusterNode | undefined)[]>;
  /** What is answered with 503 while they are away: nothing, uploads that are large, or all. */
  refused: 'none' | 'large' | 'all';
}

const single: readonly Strike[] = [
  strike('NATS, leader of the cluster', 'none', async ({ nats }) => [
    named(nats.nodes, await nats.metaLeader()),
  ]),
  strike('NATS, leader of WORK', 'none', async (all) => [await leaderOf(all, 'WORK')]),
  strike('NATS, leader of EVENTS', 'none', async (all) => [await leaderOf(all, 'EVENTS')]),
  strike('NATS, leader of the large bodies', 'none', async (all) => [
    await leaderOf(all, 'OBJ_attachments'),
  ]),
  strike('NATS, another node', 'none', async (all, draw) => {
    const lead = (await all.nats.streams()).map(({ leader }) => leader);
    const [other = all.nats.nodes[draw(all.nats.nodes.length)]] = shuffled(
      all.nats.nodes.filter(({ name }) => !lead.includes(name)),
      draw,
    );
    return [other];
  }),
  ...['first', 'second'].map((time) =>
    strike(`mongod, primary, ${time} time`, 'none', async ({ mongod }) => [
      named(mongod.nodes, await mongod.primary()),
    ]),
  ),
  strike('mongod, a secondary', 'none', async ({ mongod }, draw) =>
    shuffled(await secondariesOf(mongod), draw).slice(0, 1),
  ),
  strike('NATS leader of WORK and mongod primary', 'none', async (all) => [
    await leaderOf(all, 'WORK'),
    named(all.mongod.nodes, await all.mongod.primary()),
  ]),
];

/** The most that is left with one node is what a majority is not needed for. */
const double: readonly Strike[] = [
  strike('NATS, two of three', 'large', async ({ nats }, draw) =>
    shuffled(nats.nodes, draw).slice(1),
  ),
  strike('mongod, two of three', 'all', async ({ mongod }, draw) =>
    shuffled(mongod.nodes, draw).slice(1),
  ),
];

/** Every node that matters, in an order that is drawn; two of three at the end. */
export function drawStrikes(draw: Draw): Strike[] {
  return [...shuffled(single, draw), ...double];
}

function strike(what: string, refused: Strike['refused'], choose: Strike['choose']): Strike {
  return { what, refused, choose };
}

function named(nodes: readonly ClusterNode[], name: string | undefined): ClusterNode | undefined {
  return nodes.find((node) => node.name === name);
}

async function leaderOf({ nats }: Clusters, stream: string): Promise<ClusterNode | undefined> {
  const found = (await nats.streams()).find(({ name }) => name === stream);
  return named(nats.nodes, found?.leader);
}

async function secondariesOf(mongod: MongodSet): Promise<ClusterNode[]> {
  const primary = await mongod.primary();
  return primary === undefined ? [] : mongod.nodes.filter(({ name }) => name !== primary);
}
