import type { Kit } from '@bomtrail/service-runtime';
import { createCheckToken } from './access/check-token';
import { callerOfPerson, personIn, type Person } from './access/domain/person';
import { factsIn, rolesOf, type PersonFacts } from './access/domain/role-mapping';
import { createKnownPeople, type KnownPeople } from './access/known-people';
import type { People } from './access/people';
import type { PeopleStore, PersonRecord } from './access/store/people-store';
import { createResolveProjects } from './access/resolve-projects';
import { createKeyCache, type KeyCache } from './api-keys/store/key-cache';
import type { Settings } from './config';
import { createAskProvider } from './sign-in/ask-provider';
import { createProvider } from './sign-in/provider';
import { callbackPath, type SignInDeps } from './sign-in/routes';
import { createSessions } from './sign-in/sessions';
import { createSessionsStore, type SessionRecord } from './sign-in/store/sessions-store';

/** What people need to use the API. */
export interface ComposedPeople {
  people: People;
  /** undefined: no sign-in on the page. */
  signIn: SignInDeps | undefined;
  sessions: Pick<KeyCache<SessionRecord>, 'refresh' | 'invalidate'>;
  /** What the provider last said about people. */
  known: KnownPeople;
}

/** Builds sign-in and the check of tokens; undefined without an identity provider. */
export function composePeople(
  kit: Kit,
  settings: Settings,
  peopleStore: PeopleStore,
): ComposedPeople | undefined {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_AUDIENCE: audience } = settings;
  if (issuer === undefined) return undefined;
  const { OIDC_ROLES: mapping, OIDC_GROUPS_CLAIM: groupsClaim } = settings;
  const { log } = kit;
  const now = () => new Date();
  const origin = settings.PUBLIC_URL === undefined ? '' : new URL(settings.PUBLIC_URL).origin;
  const clientSecret = settings.OIDC_CLIENT_SECRET;
  const provider = createProvider({ issuer, clientId, clientSecret }, { log });
  const checkToken =
    audience === undefined ? undefined : createCheckToken(provider, { audience, now });
  const store = createSessionsStore(kit.database.db);
  const cache = createKeyCache<SessionRecord>((ids) => store.byIds(ids));
  const redirectUri = `${origin}${callbackPath}`;
  const scopes = settings.OIDC_SCOPES;
  const ask = createAskProvider({ provider, redirectUri, scopes, groupsClaim, mapping });
  const resolve = createResolveProjects(kit);
  const rolesNow = (facts: PersonFacts) => resolve(rolesOf(mapping, facts));
  const known = createKnownPeople({
    store: peopleStore,
    cache: createKeyCache<PersonRecord>((ids) => peopleStore.byIds(ids)),
    rolesOf: rolesNow,
    log,
  });
  const sessions = createSessions({
    store,
    cache,
    renew: ask.renew,
    confirm: ({ person, facts }) => known.confirm({ person, facts, at: now(), by: 'sign-in' }),
    now,
    log,
  });

  async function caller(person: Person, facts: PersonFacts, end: Date) {
    return callerOfPerson(person, { roles: await rolesNow(facts), expiresAt: end });
  }

  return {
    people: {
      origin,
      acceptsTokens: checkToken !== undefined,
      async ofToken(token) {
        if (!checkToken) throw new Error('Tokens are not accepted.');
        const claims = await checkToken(token);
        const facts = factsIn(claims, { mapping, groupsClaim });
        const person = personIn(claims);
        if (claims.iat !== undefined)
          await known.confirm({ person, facts, at: new Date(claims.iat * 1_000), by: 'token' });
        return caller(person, facts, new Date(claims.exp * 1_000));
      },
      async ofSession(token) {
        const { person, facts, expires_at } = await sessions.find(token);
        return caller(person, facts, expires_at);
      },
    },
    signIn:
      clientId === undefined ? undefined : { provider: ask, sessions, store, origin, now, log },
    sessions: cache,
    known,
  };
}
