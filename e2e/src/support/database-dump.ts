import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { BSON, MongoClient, type Document } from 'mongodb';

const { EJSON } = BSON;
const databasePrefix = 'bomtrail_';

/** Collections that hold nothing to keep: who holds which lease now. */
const passing = ['leases'];

/** Writes every document of the product's databases as MongoDB Extended JSON: `<database>/<collection>.json`. */
export async function dumpDatabases(uri: string, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await withClient(uri, async (client) => {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((database) =>
      database.name.startsWith(databasePrefix),
    )) {
      mkdirSync(path.join(folder, name), { recursive: true });
      for (const collection of await client.db(name).listCollections().toArray()) {
        if (passing.includes(collection.name)) continue;
        const documents = await client
          .db(name)
          .collection(collection.name)
          .find()
          .sort({ _id: 1 })
          .toArray();
        const lines = documents.map((document) => EJSON.stringify(document, { relaxed: false }));
        writeFileSync(
          path.join(folder, name, `${collection.name}.json`),
          `[\n${lines.join(',\n')}\n]\n`,
        );
      }
    }
  });
}

/** Brings a dump into an empty server. */
export async function restoreDatabases(uri: string, folder: string): Promise<void> {
  await withClient(uri, async (client) => {
    for (const name of readdirSync(folder)) {
      for (const file of readdirSync(path.join(folder, name))) {
        const text = readFileSync(path.join(folder, name, file), 'utf8');
        const documents = EJSON.parse(text, { relaxed: false }) as Document[];
        if (documents.length === 0) continue;
        await client.db(name).collection(path.basename(file, '.json')).insertMany(documents);
      }
    }
  });
}

async function withClient(
  uri: string,
  work: (client: MongoClient) => Promise<void>,
): Promise<void> {
  const client = new MongoClient(uri);
  try {
    await work(await client.connect());
  } finally {
    await client.close();
  }
}
