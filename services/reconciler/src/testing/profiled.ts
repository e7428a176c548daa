import type { Db, Document } from 'mongodb';

/** Database operations by collection. */
export interface Cost {
  /** Documents inserted, changed or removed. */
  written: Record<string, number>;
  /** Documents examined by reads and writes. */
  examined: Record<string, number>;
  /** Commands and parts of transactions that the server ran. */
  requests: Record<string, number>;
}

/** Runs `work` and returns the operations of all processes on these collections. */
export async function costOf(
  db: Db,
  collections: readonly string[],
  work: () => Promise<unknown>,
): Promise<Cost> {
  await db.command({ profile: 0 });
  await db.dropCollection('system.profile');
  await db.command({ profile: 2 });
  try {
    await work();
  } finally {
    await db.command({ profile: 0 });
  }
  const cost: Cost = { written: {}, examined: {}, requests: {} };
  for (const name of collections) {
    const sbomVersions = await db
      .collection('system.profile')
      .find({ ns: `${db.databaseName}.${name}` })
      .toArray();
    cost.written[name] = sum(sbomVersions, ['ninserted', 'nModified', 'ndeleted', 'nUpserted']);
    cost.examined[name] = sum(sbomVersions, ['docsExamined']);
    cost.requests[name] = sbomVersions.length;
  }
  return cost;
}

function sum(sbomVersions: readonly Document[], fields: readonly string[]): number {
  return sbomVersions
    .flatMap((sbomVersion) => fields.map((field) => Number(sbomVersion[field] ?? 0)))
    .reduce((total, one) => total + one, 0);
}
