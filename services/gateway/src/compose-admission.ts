import type { IndexPlan } from '@bomtrail/mongo';
import type { Kit } from '@bomtrail/service-runtime';
import { composePeople } from './compose-people';
import type { Settings } from './config';
import type { SignInDeps } from './sign-in/routes';
import { createCallerOfKey } from './access/known-people';
import type { ManagePeopleDeps } from './access/manage-people';
import { createPeopleStore, peopleIndexes } from './access/store/people-store';
import { createSessionsStore, sessionsIndexes } from './sign-in/store/sessions-store';
import { apiKeysIndexes, createApiKeysStore } from './api-keys/store/api-keys-store';
import { auditIndexes, createAuditStore, type AuditStore } from './audit/store/audit-store';
import { createFailedKeys } from './api-keys/store/failed-keys';
import { createKeyCache } from './api-keys/store/key-cache';
import { createKeyUses } from './api-keys/store/key-uses';
import { periodically, type Periodic } from './shared/periodically';
import { createRateLimiter, rateLimitIndexes } from './api-keys/store/rate-limiter';
import { findProjectOf } from './audit/find-project-of';
import { createAuditTrail, type AuditTrail } from './audit/audit-calls';
import type { CheckCallerDeps } from './access/check-caller';
import type { ManageApiKeysDeps } from './api-keys/manage-api-keys';

/** Frequent enough that one failed read does not delay requests with keys in use. */
const refreshKeysEveryMs = 2_000;
const noteKeyUsesEveryMs = 10_000;

/** Checks before every call, shared by REST and gRPC. */
export interface Admission {
  keyCheck: CheckCallerDeps & { proxyHops: number };
  manageKeys: ManageApiKeysDeps;
  managePeople: ManagePeopleDeps;
  audit: AuditStore;
  /** undefined: no sign-in on the page. */
  signIn: SignInDeps | undefined;
  trail: AuditTrail;
  indexes: IndexPlan;
  /** Applies the settings to stored data. */
  start(): Promise<void>;
  /** Starts periodic work. */
  open(): void;
  /** Stops it after the last call. */
  stop(): Promise<void>;
}

/** Builds checks of callers, rate limits and the audit log. */
export function composeAdmission(kit: Kit, settings: Settings): Admission {
  const { log, request } = kit;
  const now = () => new Date();
  const keys = createApiKeysStore(kit.database);
  const cache = createKeyCache((prefixes) => keys.byPrefixes(prefixes));
  const uses = createKeyUses((noted) => keys.markUsed(noted), now);
  const countCall = createRateLimiter(kit.database, { calls: settings.RATE_LIMIT_PER_MINUTE });
  const audit = createAuditStore(kit.database.db);
  const trail = createAuditTrail({
    audit,
    log,
    now,
    projectOf: (about) => findProjectOf({ request }, about),
  });
  const peopleStore = createPeopleStore(kit.database.db);
  const people = composePeople(kit, settings, peopleStore);
  const manageKeys = { request, keys, invalidateKey: cache.invalidate, now };
  const running: Periodic[] = [];

  return {
    keyCheck: {
      people: people?.people,
      findKey: cache.find,
      callerOf: createCallerOfKey(people?.known, now),
      countCall,
      noteUse: uses.note,
      now,
      proxyHops: settings.TRUSTED_PROXY_HOPS,
      failedKeys: createFailedKeys({ perMinute: settings.FAILED_KEYS_PER_MINUTE }),
      noteLockOut: (address) =>
        log.warn(
          { client: address },
          'Too many invalid API keys from one address: it is locked out.',
        ),
    },
    manageKeys,
    managePeople: {
      people: peopleStore,
      sessions: createSessionsStore(kit.database.db),
      invalidateSession: (id) => people?.sessions.invalidate(id),
      manageKeys,
    },
    audit,
    trail,
    signIn: people?.signIn,
    indexes: {
      ...apiKeysIndexes,
      ...auditIndexes,
      ...rateLimitIndexes,
      ...sessionsIndexes,
      ...peopleIndexes,
    },
    start: () => audit.keepForDays(settings.AUDIT_RETENTION_DAYS),
    open() {
      running.push(
        periodically(() => cache.refresh(), {
          everyMs: refreshKeysEveryMs,
          what: 'Reading the API keys in use',
          log,
        }),
        periodically(async () => people?.sessions.refresh(), {
          everyMs: refreshKeysEveryMs,
          what: 'Reading the sessions in use',
          log,
        }),
        periodically(() => uses.flush(), {
          everyMs: noteKeyUsesEveryMs,
          what: 'Storing the last use of API keys',
          log,
        }),
      );
    },
    async stop() {
      await Promise.all([...running.map((work) => work.stop()), trail.idle()]);
      await uses.flush().catch((error: unknown) => {
        log.warn({ err: error }, 'Storing the last use of API keys failed.');
      });
    },
  };
}
