import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MongoClient } from 'mongodb';

/** Where an id may stay: so that what comes late inserts nothing, and as the record of who did what. */
const mayRemember = ['known_projects', 'deleted_scopes', 'audit_entries'];

/** Of a purged service the ledger stays, empty, so that what comes late begins no new one. */
const notPurged = { deletion_state: { $ne: 'purged' } };

/** The server of a stack that runs on this data folder. */
export function mongoUriOf(dataDir: string): string {
  const text = readFileSync(path.join(dataDir, 'servers.json'), 'utf8');
  return (JSON.parse(text) as { mongoUri: string }).mongoUri;
}

/**
 * Collections, of all databases of the product, with a document of what was deleted.
 *
 * @param field by which documents refer to it
 */
export async function placesContaining(
  mongoUri: string,
  field: 'project_id' | 'service_id',
  id: string,
): Promise<string[]> {
  const mongo = await new MongoClient(mongoUri).connect();
  try {
    const { databases } = await mongo.db().admin().listDatabases({ nameOnly: true });
    const places: string[] = [];
    for (const { name } of databases.filter((database) => database.name.startsWith('bomtrail'))) {
      for (const collection of await mongo.db(name).collections()) {
        if (mayRemember.includes(collection.collectionName)) continue;
        const of = { $or: [{ [field]: id }, { _id: id as never }], ...notPurged };
        if (await collection.findOne(of)) places.push(collection.namespace);
      }
    }
    return places;
  } finally {
    await mongo.close();
  }
}
