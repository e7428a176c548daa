import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MongoClient } from 'mongodb';

/** Collections that keep deleted ids: to reject late writes, and for the audit log. */
const keepsDeletedIds = ['known_projects', 'deleted_scopes', 'audit_entries'];

/** The state of a purged service stays, empty, so that a late scan does not recreate it. */
const notPurged = { deletion_state: { $ne: 'purged' } };

/** The MongoDB server of a stack with this data folder. */
export function mongoUriOf(dataDir: string): string {
  const text = readFileSync(path.join(dataDir, 'servers.json'), 'utf8');
  return (JSON.parse(text) as { mongoUri: string }).mongoUri;
}

/**
 * All collections of the product with a document of a deleted project or service.
 *
 * @param field the reference to it
 */
export async function collectionsContaining(
  mongoUri: string,
  field: 'project_id' | 'service_id',
  id: string,
): Promise<string[]> {
  const mongo = await new MongoClient(mongoUri).connect();
  try {
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
    const namespaces: string[] = [];
    for (const { name } of databases.filter((database) => database.name.startsWith('bomtrail'))) {
      for (const { collectionName } of await mongo.db(name).collections()) {
        if (keepsDeletedIds.includes(collectionName)) continue;
        const collection = mongo.db(name).collection<{ _id: string }>(collectionName);
        const of = { $or: [{ [field]: id }, { _id: id }], ...notPurged };
        if (await collection.findOne(of)) namespaces.push(collection.namespace);
      }
    }
    return namespaces;
  } finally {
    await mongo.close();
  }
}
