import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import type { KeyCache } from '../api-keys/store/key-cache';
import type { SignedIn } from './ask-provider';
import { personId } from '../access/domain/person';
import { isInvalidGrant } from './provider-errors';
import { newToken, seal, tokenHash, unseal } from './seal';
import type { SessionRecord, SessionsStore } from './store/sessions-store';

export interface SessionsDeps {
  store: SessionsStore;
  cache: KeyCache<SessionRecord>;
  /** Who the person is now, by a refresh token. @throws errors of the provider */
  renew: (refreshToken: string, subject: string) => Promise<SignedIn>;
  /** Records what the provider said of a person now. */
  confirm: (signedIn: Pick<SignedIn, 'person' | 'facts'>) => Promise<void>;
  now: () => Date;
  log: Logger;
}

/** Secrets of a session. */
export interface SessionSecrets {
  refresh_token: string | null;
  id_token: string | null;
}

export interface Sessions {
  /** Creates a session; resolves with its token, which is stored nowhere. */
  create(signedIn: SignedIn): Promise<{ token: string; expiresAt: Date }>;
  /** @throws AppError `session_ended`, `service_unavailable` */
  find(token: string): Promise<SessionRecord>;
  /** Ends a session: this process refuses it at once, others within 5 seconds. Resolves with its secrets. */
  end(token: string): Promise<SessionSecrets | null>;
}

const minuteMs = 60_000;
/** A session ends after a working day, whatever happens. */
const sessionMs = 12 * 60 * minuteMs;
/** Without a refresh token nobody can say whether the person has left: it ends sooner. */
const unrenewableMs = 60 * minuteMs;
/** What the provider said about a person is believed this long. */
const freshMs = 5 * minuteMs;
/** After a failure, and for the process that asks. */
const retryMs = minuteMs;

/**
 * Sessions of the page: renewed with the provider every 5 minutes. While the provider is away they go
 * on until their end; when it refuses the renewal they end.
 */
export function createSessions(deps: SessionsDeps): Sessions {
  const { store, cache, now, log } = deps;
  const renewing = new Map<string, Promise<SessionRecord>>();

  function later(ms: number): Date {
    return new Date(now().getTime() + ms);
  }

  function sealed({ refreshToken, idToken }: SignedIn, token: string): Buffer {
    const secrets: SessionSecrets = { refresh_token: refreshToken, id_token: idToken };
    return seal(JSON.stringify(secrets), token);
  }

  async function read(id: string): Promise<SessionRecord> {
    const record = await cache.find(id).catch(() => {
      throw new AppError(
        'service_unavailable',
        'The session cannot be checked: repeat the request after the seconds in Retry-After.',
      );
    });
    if (!record || record.revoked_at || record.expires_at <= now())
      throw new AppError('session_ended');
    return record;
  }

  async function renew(record: SessionRecord, token: string): Promise<SessionRecord> {
    const { prefix: id } = record;
    const until = later(retryMs);
    // Otherwise another process asks; the end of the session is read within 5 seconds.
    if (!(await store.beginRefresh(record, until))) return record;
    cache.put({ ...record, fresh_until: until });
    const { refresh_token, id_token } = secretsIn(record, token);
    if (refresh_token === null) return record;
    try {
      const signedIn = await deps.renew(refresh_token, record.person.subject);
      const kept = {
        ...signedIn,
        refreshToken: signedIn.refreshToken ?? refresh_token,
        idToken: signedIn.idToken ?? id_token,
      };
      const { person, facts } = signedIn;
      const fresh = { person, facts, fresh_until: later(freshMs), sealed: sealed(kept, token) };
      const renewed = await store.refresh(id, fresh);
      if (!renewed) {
        cache.invalidate(id);
        throw new AppError('session_ended');
      }
      cache.put(renewed);
      await deps.confirm(signedIn);
      return renewed;
    } catch (error) {
      if (isInvalidGrant(error) || isEnded(error)) {
        await store.revoke(id, now());
        cache.invalidate(id);
        throw new AppError('session_ended');
      }
      log.warn({ err: error }, 'Renewing a session with the identity provider failed.');
      return record;
    }
  }

  return {
    async create(signedIn) {
      const token = newToken();
      const { person, facts, refreshToken } = signedIn;
      const ends = later(refreshToken === null ? unrenewableMs : sessionMs);
      await store.insert({
        _id: tokenHash(token),
        person,
        person_id: personId(person),
        facts,
        created_at: now(),
        expires_at: ends,
        fresh_until: refreshToken === null ? ends : later(freshMs),
        revoked_at: null,
        sealed: sealed(signedIn, token),
      });
      await deps.confirm(signedIn);
      return { token, expiresAt: ends };
    },

    async find(token) {
      const id = tokenHash(token);
      const record = await read(id);
      if (record.fresh_until > now()) return record;
      const running = renewing.get(id) ?? renew(record, token).finally(() => renewing.delete(id));
      renewing.set(id, running);
      return running;
    },

    async end(token) {
      const id = tokenHash(token);
      const [record] = await store.byIds([id]);
      if (!record) return null;
      await store.revoke(id, now());
      cache.invalidate(id);
      return secretsIn(record, token);
    },
  };
}

function isEnded(error: unknown): boolean {
  return error instanceof AppError && error.code === 'session_ended';
}

function secretsIn({ sealed }: SessionRecord, token: string): SessionSecrets {
  return JSON.parse(unseal(sealed, token)) as SessionSecrets;
}
