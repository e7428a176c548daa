import { isDuplicateKey, type IndexPlan } from '@bomtrail/mongo';
import type { Db } from 'mongodb';
import { confirmedDays } from '../domain/own-key';
import { personId, type Person } from '../domain/person';
import type { PersonFacts } from '../domain/role-mapping';

/** What the identity provider said last about a person who was here. */
export interface PersonDocument {
  /** `personId`. */
  _id: string;
  person: Person;
  facts: PersonFacts;
  /** When the provider said so. */
  confirmed_at: Date;
  /** A token may know less of a person than a sign-in. */
  by: Confirmer;
}

export type Confirmer = 'sign-in' | 'token';

/** A person, as they are cached; `prefix` is their id. */
export type PersonRecord = Omit<PersonDocument, '_id'> & { prefix: string };

export interface ListedPerson extends Pick<PersonDocument, '_id' | 'person' | 'confirmed_at'> {
  sessions: number;
  keys: number;
}

const readTimeoutMs = 2_000;
/** People who were not seen for so long are deleted. */
const keptSeconds = 400 * 86_400;

export const peopleIndexes: IndexPlan = {
  people: [
    { key: { confirmed_at: 1 }, name: 'expiry', expireAfterSeconds: keptSeconds },
    { key: { confirmed_at: -1, _id: 1 }, name: 'listed' },
  ],
};

export type PeopleStore = ReturnType<typeof createPeopleStore>;

export function createPeopleStore(db: Db) {
  const people = db.collection<PersonDocument>('people');

  return {
    /** People with these ids. @throws MongoError if the database does not respond in two seconds */
    async byIds(ids: readonly string[]): Promise<PersonRecord[]> {
      const signal = AbortSignal.timeout(readTimeoutMs);
      const found = await people.find({ _id: { $in: [...ids] } }, { signal }).toArray();
      return found.map(({ _id, ...rest }) => ({ prefix: _id, ...rest }));
    },

    /**
     * Records what the provider said, unless something newer is known; what a token says replaces a sign-in only when that
     * does not count any more. False: it is not recorded.
     */
    async confirm({ person, ...said }: Omit<PersonDocument, '_id'>): Promise<boolean> {
      const _id = personId(person);
      const { confirmed_at, by } = said;
      const over = new Date(confirmed_at.getTime() - confirmedDays * 86_400_000);
      const replaceable = by === 'sign-in' ? [{}] : [{ by }, { confirmed_at: { $lt: over } }];
      const older = { _id, confirmed_at: { $lt: confirmed_at }, $or: replaceable };
      try {
        await people.updateOne(older, { $set: { person, ...said } }, { upsert: true });
        return true;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return false;
      }
    },

    /** Those seen last first, with their sessions and own keys that are valid now. */
    async list(page: { skip: number; limit: number }, now: Date) {
      const valid = { revoked_at: null, expires_at: { $gt: now } };
      const found = people
        .aggregate<ListedPerson>([
          { $sort: { confirmed_at: -1, _id: 1 } },
          { $skip: page.skip },
          { $limit: page.limit },
          counted('sessions', { localField: '_id', foreignField: 'person_id' }, valid),
          counted('api_keys', { localField: '_id', foreignField: 'owner.id' }, valid),
          {
            $project: {
              person: 1,
              confirmed_at: 1,
              sessions: { $ifNull: [{ $first: '$sessions.count' }, 0] },
              keys: { $ifNull: [{ $first: '$api_keys.count' }, 0] },
            },
          },
        ])
        .toArray();
      const [items, total] = await Promise.all([found, people.countDocuments()]);
      return { items, total };
    },
  };
}

function counted(from: string, by: { localField: string; foreignField: string }, where: object) {
  return { $lookup: { from, ...by, pipeline: [{ $match: where }, { $count: 'count' }], as: from } };
}
