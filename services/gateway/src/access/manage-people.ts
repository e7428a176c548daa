import type { components } from '@bomtrail/api-contract';
import { AppError, pageWindow, type PageOf } from '@bomtrail/messages';
import type { ManageApiKeysDeps } from '../api-keys/manage-api-keys';
import type { KeyCache } from '../api-keys/store/key-cache';
import { orUnavailable } from '../shared/or-unavailable';
import type { PageRequest } from '../shared/page-envelope';
import type { SessionRecord, SessionsStore } from '../sign-in/store/sessions-store';
import type { PeopleStore } from './store/people-store';

export interface ManagePeopleDeps {
  people: PeopleStore;
  sessions: Pick<SessionsStore, 'revokeOf'>;
  invalidateSession: KeyCache<SessionRecord>['invalidate'];
  manageKeys: Pick<ManageApiKeysDeps, 'keys' | 'invalidateKey' | 'now'>;
}

/** The people who were here, those seen last first. */
export async function listPeople(
  { people, manageKeys }: ManagePeopleDeps,
  requested: PageRequest,
): Promise<PageOf<components['schemas']['KnownPerson']>> {
  const { items, total } = await orUnavailable(
    people.list(pageWindow(requested), manageKeys.now()),
  );
  return {
    total,
    items: items.map(({ _id, person, confirmed_at, sessions, keys }) => ({
      id: _id,
      person,
      confirmed_at: confirmed_at.toISOString(),
      sessions,
      own_keys: keys,
    })),
  };
}

/**
 * AU9 Ends all sessions of a person, and revokes their own keys if asked to: this process refuses them at once, others
 * within 5 seconds. Who is still a member of the provider may sign in again.
 *
 * @throws AppError `person_not_found`
 */
export async function endSessions(
  { people, sessions, invalidateSession, manageKeys }: ManagePeopleDeps,
  { person_id, keys }: { person_id: string; keys: boolean },
): Promise<components['schemas']['EndedSessions']> {
  const [known] = await orUnavailable(people.byIds([person_id]));
  if (!known) throw new AppError('person_not_found');
  const now = manageKeys.now();
  const ended = await orUnavailable(sessions.revokeOf(person_id, now));
  for (const id of ended) invalidateSession(id);
  const revoked = keys ? await orUnavailable(manageKeys.keys.revokeOwned(person_id, now)) : [];
  for (const prefix of revoked) manageKeys.invalidateKey(prefix);
  return { sessions_ended: ended.length, keys_revoked: revoked.length };
}
