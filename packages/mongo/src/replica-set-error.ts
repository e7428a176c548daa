import type { Document, MongoClient } from 'mongodb';

const standaloneError =
  'MONGODB_URI: its server is a mongod without a replica set; start it with --replSet, then call rs.initiate().';

/** The last answer of each server to `hello`, by address. */
export type HelloOf = ReadonlyMap<string, Document>;

/** Records the answers of all servers: the driver forgets those of another replica set than that of the URI. */
export function watchHello(client: MongoClient): { helloOf: HelloOf; stop: () => void } {
  const helloOf = new Map<string, Document>();
  const answered = ({ connectionId, reply }: { connectionId: string; reply: Document }): void =>
    void helloOf.set(connectionId, reply);
  const failed = ({ connectionId }: { connectionId: string }): void =>
    void helloOf.delete(connectionId);
  client.on('serverHeartbeatSucceeded', answered).on('serverHeartbeatFailed', failed);
  return {
    helloOf,
    stop: () =>
      void client.off('serverHeartbeatSucceeded', answered).off('serverHeartbeatFailed', failed),
  };
}

/**
 * Why none of the servers of a URI can be used, ever: they have no replica set, and so neither transactions nor retries,
 * or are of another one than the URI names. Undefined while a server does not answer or may be of it.
 */
export function replicaSetError(
  { hosts, replicaSet }: { hosts: { toString(): string }[]; replicaSet?: string | undefined },
  helloOf: HelloOf,
): string | undefined {
  const answers = hosts.map((host) => helloOf.get(host.toString()));
  if (answers.length === 0) return undefined;
  if (answers.every((hello) => hello && isStandalone(hello))) return standaloneError;
  const names = answers.map((hello) => hello?.['setName'] as string | undefined);
  if (!replicaSet || names.some((name) => name === undefined || name === replicaSet))
    return undefined;
  const found = [...new Set(names)].map((name) => `'${name}'`).join(' and ');
  return `MONGODB_URI: no server in it is a member of its replicaSet '${replicaSet}', but of ${found}.`;
}

/** Whether a server with this answer to `hello` is neither a member of a replica set nor a router. */
function isStandalone(hello: Document): boolean {
  // A member whose set is not initiated yet has `isreplicaset` only.
  const isMember = hello['setName'] !== undefined || hello['isreplicaset'] === true;
  return !isMember && hello['msg'] !== 'isdbgrid';
}
