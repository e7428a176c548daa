import type { IndexPlan } from '@bomtrail/mongo';
import type { Binary, Db } from 'mongodb';
import type { Person } from '../../access/domain/person';
import type { PersonFacts } from '../../access/domain/role-mapping';

/** A session of the page. */
export interface SessionDocument {
  /** SHA-256 of its token. */
  _id: string;
  person: Person;
  /** `personId`. */
  person_id: string;
  facts: PersonFacts;
  created_at: Date;
  /** Its end in any case. */
  expires_at: Date;
  /** When the provider is asked again who the person is. */
  fresh_until: Date;
  revoked_at: Date | null;
  /** Refresh and id token, encrypted with the session's token. */
  sealed: Binary | Buffer;
}

/** A sign-in that has begun. */
export interface SignInDocument {
  /** SHA-256 of the token in the browser's cookie. */
  _id: string;
  state: string;
  nonce: string;
  code_verifier: string;
  return_to: string;
  created_at: Date;
}

/** A session, as it is cached; `prefix` is its id. */
export type SessionRecord = Omit<SessionDocument, '_id' | 'sealed'> & {
  prefix: string;
  sealed: Buffer;
};

/** People have this long to sign in at the provider. */
const signInSeconds = 10 * 60;
/** Anybody can begin a sign-in: of more at once the oldest is dropped, so that nobody keeps others from signing in. */
const maxSignIns = 100_000;
const readTimeoutMs = 2_000;

export const sessionsIndexes: IndexPlan = {
  sessions: [
    { key: { expires_at: 1 }, name: 'expiry', expireAfterSeconds: 0 },
    { key: { person_id: 1, expires_at: 1 }, name: 'of_person' },
  ],
  sign_ins: [{ key: { created_at: 1 }, name: 'expiry', expireAfterSeconds: signInSeconds }],
};

export type SessionsStore = ReturnType<typeof createSessionsStore>;

export function createSessionsStore(db: Db) {
  const sessions = db.collection<SessionDocument>('sessions');
  const signIns = db.collection<SignInDocument>('sign_ins');

  return {
    /** Sessions with these ids. @throws MongoError if the database does not respond in two seconds */
    async byIds(ids: readonly string[]): Promise<SessionRecord[]> {
      const signal = AbortSignal.timeout(readTimeoutMs);
      const found = await sessions.find({ _id: { $in: [...ids] } }, { signal }).toArray();
      return found.map(recordOf);
    },

    insert: async (session: SessionDocument): Promise<void> => {
      await sessions.insertOne(session);
    },

    /** Reserves the refresh of a session until then; false if it is another's, or revoked. */
    async beginRefresh(before: SessionRecord, until: Date): Promise<boolean> {
      const { prefix: _id, fresh_until } = before;
      const at = { _id, fresh_until, revoked_at: null };
      const { matchedCount } = await sessions.updateOne(at, { $set: { fresh_until: until } });
      return matchedCount === 1;
    },

    /** Null: the session was revoked meanwhile. */
    async refresh(
      _id: string,
      changes: Pick<SessionDocument, 'person' | 'facts' | 'fresh_until' | 'sealed'>,
    ): Promise<SessionRecord | null> {
      const found = await sessions.findOneAndUpdate(
        { _id, revoked_at: null },
        { $set: changes },
        { returnDocument: 'after' },
      );
      return found && recordOf(found);
    },

    async revoke(_id: string, now: Date): Promise<void> {
      await sessions.updateOne({ _id, revoked_at: null }, { $set: { revoked_at: now } });
    },

    /** Ends all sessions of a person; returns their ids. */
    async revokeOf(person_id: string, now: Date): Promise<string[]> {
      const own = { person_id, revoked_at: null, expires_at: { $gt: now } };
      const found = await sessions.find(own, { projection: { _id: 1 } }).toArray();
      await sessions.updateMany(own, { $set: { revoked_at: now } });
      return found.map(({ _id }) => _id);
    },

    async beginSignIn(signIn: SignInDocument): Promise<void> {
      if ((await signIns.estimatedDocumentCount()) >= maxSignIns)
        await signIns.findOneAndDelete({}, { sort: { created_at: 1 } });
      await signIns.insertOne(signIn);
    },

    /** Takes a sign-in that has begun: each once. */
    async takeSignIn(_id: string, now: Date): Promise<SignInDocument | null> {
      const earliest = new Date(now.getTime() - signInSeconds * 1_000);
      return signIns.findOneAndDelete({ _id, created_at: { $gt: earliest } });
    },
  };
}

function recordOf({ _id, sealed, ...session }: SessionDocument): SessionRecord {
  const bytes = Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed.buffer);
  return { prefix: _id, ...session, sealed: bytes };
}
