import type { ClientSession, MongoClient } from 'mongodb';

/**
 * Runs `work` in one transaction; it is repeated on write conflicts and lost primaries, so it must
 * have no effect outside of the session.
 *
 * @throws what `work` throws, after everything was rolled back
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
