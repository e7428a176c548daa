import { startTestServers } from '@bomtrail/testkit';
import { MongoClient, type CommandStartedEvent, type Db } from 'mongodb';
import { scannerIndexes } from '../store/indexes';

/** Databases for tests of stores and use cases without the service. */
export interface TestDatabases {
  /** Opens a database with the scanner's indexes. */
  open(name: string): Promise<Db>;
  /** Records the commands that some work sends, as `<command> <collection>`, sorted. */
  commandsOf(work: () => Promise<unknown>): Promise<string[]>;
  /** Drops all databases. */
  stop(): Promise<void>;
}

/** Call it in `beforeAll`, and `stop` in `afterAll`. */
export async function startTestDatabases(): Promise<TestDatabases> {
  const servers = await startTestServers();
  const client = await new MongoClient(servers.mongoUri, { monitorCommands: true }).connect();
  return {
    async commandsOf(work) {
      const commands: string[] = [];
      const note = ({ commandName, command }: CommandStartedEvent): void =>
        void commands.push(`${commandName} ${command[commandName]}`);
      client.on('commandStarted', note);
      try {
        await work();
      } finally {
        client.off('commandStarted', note);
      }
      return commands.sort();
    },
    async open(name) {
      const db = client.db(`${servers.prefix}${name}`);
      for (const [collection, indexes] of Object.entries(scannerIndexes))
        await db.collection(collection).createIndexes([...indexes]);
      return db;
    },
    async stop() {
      await client.close();
      await servers.stop();
    },
  };
}
