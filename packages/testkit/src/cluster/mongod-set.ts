import path from 'node:path';
import { freePorts, REPLICA_SET, startMongod } from '@bomtrail/embedded';
import { MongoClient, type Document } from 'mongodb';
import { eventually } from '../eventually';
import { endNodes, type Cluster, type ClusterNode } from './nodes';

export interface MongodSet extends Cluster {
  /** Name of the primary; undefined during an election. */
  primary(): Promise<string | undefined>;
}

/** mongod's minimum: several members share the machine. */
const cacheSizeGb = 0.25;
/** A member with less lag can become primary without delay. */
const lagMs = 1_000;
const selectionMs = 1_000;
const startMs = 30_000;

interface Member {
  name: string;
  state: number;
  optimeDate: Date;
}

/** mongod's member states. */
const [primaryState, secondaryState] = [1, 2];

/** Starts a replica set of `size` mongods in folders below `dataDir`, with mongod's default election timeouts. */
export async function startMongodSet(options: {
  binary: string;
  dataDir: string;
  size: number;
}): Promise<MongodSet> {
  const { binary, dataDir, size } = options;
  const ports = await freePorts(size);
  const hosts = ports.map((port) => `127.0.0.1:${port}`);
  const nodes = await Promise.all(
    ports.map(async (port, index): Promise<ClusterNode> => {
      const name = `mongod-${index + 1}`;
      const folder = path.join(dataDir, name);
      const server = await startMongod({
        binary,
        dataDir: folder,
        port,
        cacheSizeGb,
        isMember: true,
      });
      return { name, server };
    }),
  );
  const members = hosts.map((host, _id) => ({ _id, host }));
  await onMember(hosts[0], async (admin) => {
    // A single member is primary at once; with several an election takes ten seconds.
    const first = { _id: REPLICA_SET, version: 1, members: members.slice(0, 1) };
    await admin({ replSetInitiate: first });
    await eventually(async () => (await admin({ hello: 1 }))['isWritablePrimary'] === true, {
      within: startMs,
      what: 'the first mongod is the primary',
    });
    await admin({ replSetReconfig: { ...first, version: 2, members }, force: true });
  });

  /** Returns the members as seen by the first one that responds. */
  async function seen(): Promise<Member[]> {
    for (const host of hosts) {
      try {
        return (await onMember(host, (admin) => admin({ replSetGetStatus: 1 })))[
          'members'
        ] as Member[];
      } catch {
        // Try the next member.
      }
    }
    return [];
  }

  return {
    nodes,
    url: `mongodb://${hosts.join(',')}/?replicaSet=${REPLICA_SET}`,
    async primary() {
      const found = (await seen()).find(({ state }) => state === primaryState);
      return found && nodes[hosts.indexOf(found.name)]?.name;
    },
    async isWhole() {
      const all = await seen();
      const first = all.find(({ state }) => state === primaryState);
      return (
        first !== undefined &&
        all.every(
          ({ state, optimeDate }) =>
            (state === primaryState || state === secondaryState) &&
            first.optimeDate.getTime() - optimeDate.getTime() <= lagMs,
        )
      );
    },
    stop: () => endNodes(nodes),
  };
}

type Admin = (command: Document) => Promise<Document>;

/** Runs commands on one member, whatever its state. */
async function onMember<Result>(
  host: string | undefined,
  run: (admin: Admin) => Promise<Result>,
): Promise<Result> {
  const client = new MongoClient(`mongodb://${host}/`, {
    directConnection: true,
    serverSelectionTimeoutMS: selectionMs,
  });
  try {
    return await run((command) => client.db('admin').command(command));
  } finally {
    await client.close();
  }
}
