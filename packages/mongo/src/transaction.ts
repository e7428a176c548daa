import type { ClientSession, MongoClient } from 'mongodb';

/**
 * Runs `work` in a transaction. It is repeated on write conflicts and elections, so it must have no effects
 * outside the session.
 *
 * @throws what `work` throws, after a rollback
 */
export async function inTransaction<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  return client.withSession((session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    }),
  );
}
