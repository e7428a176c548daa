import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import { LRUCache } from 'lru-cache';
import { callerOf, type Caller } from '../api-keys/domain/caller';
import type { ApiKeyRecord } from '../api-keys/domain/api-key';
import type { KeyCache } from '../api-keys/store/key-cache';
import { callerOfOwnKey, type Confirmation } from './domain/own-key';
import { personId, type Person } from './domain/person';
import type { PersonFacts } from './domain/role-mapping';
import type { Confirmer, PeopleStore, PersonRecord } from './store/people-store';

export interface KnownPeopleDeps {
  store: Pick<PeopleStore, 'confirm'>;
  cache: Pick<KeyCache<PersonRecord>, 'find' | 'put'>;
  /** The present roles of somebody with these facts. */
  rolesOf(facts: PersonFacts): Promise<Confirmation['roles']>;
  log: Logger;
}

/** What the provider last said about people, which their own keys depend on. */
export interface KnownPeople {
  /** Records what the provider said at a time. Does not fail: it is said again. */
  confirm(said: { person: Person; facts: PersonFacts; at: Date; by: Confirmer }): Promise<void>;
  /** Null: nobody is known by this id. @throws AppError `service_unavailable` */
  find(id: string): Promise<Confirmation | null>;
}

/** Tokens whose facts are stored already. */
const remembered = 10_000;

export function createKnownPeople({ store, cache, rolesOf, log }: KnownPeopleDeps): KnownPeople {
  const written = new LRUCache<string, number>({ max: remembered });
  return {
    async confirm({ person, facts, at, by }) {
      const id = personId(person);
      if ((written.get(id) ?? 0) >= at.getTime()) return;
      try {
        const record = { person, facts, confirmed_at: at, by };
        if (await store.confirm(record)) cache.put({ prefix: id, ...record });
        written.set(id, at.getTime());
      } catch (error) {
        log.warn({ err: error }, 'Storing what the identity provider said of a person failed.');
      }
    },

    async find(id) {
      const record = await cache.find(id).catch(() => {
        throw new AppError(
          'service_unavailable',
          'The owner of the key cannot be checked: repeat the request after the seconds in Retry-After.',
        );
      });
      if (!record) return null;
      return { roles: await rolesOf(record.facts), confirmed_at: record.confirmed_at };
    },
  };
}

/** The caller with a key: of a person's own one by what that person may do now. */
export function createCallerOfKey(
  people: Pick<KnownPeople, 'find'> | undefined,
  now: () => Date,
): (key: ApiKeyRecord) => Promise<Caller> {
  return async (key) => {
    if (!key.owner) return callerOf(key);
    // Without an identity provider nobody confirms anybody.
    const confirmation = people ? await people.find(personId(key.owner)) : null;
    return callerOfOwnKey(key, confirmation, now());
  };
}
