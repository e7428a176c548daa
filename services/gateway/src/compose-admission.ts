import type { IndexPlan, Kit } from '@bomtrail/service-kit';
import type { Settings } from './config';
import { apiKeysIndexes, createApiKeysStore } from './store/api-keys-store';
import { auditIndexes, createAuditStore, type AuditStore } from './store/audit-store';
import { createFailedKeys } from './store/failed-keys';
import { createKeyCache } from './store/key-cache';
import { createKeyUses } from './store/key-uses';
import { periodically, type Periodic } from './store/periodically';
import { createRateLimiter, rateLimitIndexes } from './store/rate-limiter';
import { findProjectOf } from './use-cases/find-project-of';
import { createAuditTrail, type AuditTrail } from './use-cases/audit-calls';
import type { CheckApiKeyDeps } from './use-cases/check-api-key';
import type { ManageApiKeysDeps } from './use-cases/manage-api-keys';

/** Often enough that a read may fail once before a key in use must be waited for. */
const refreshKeysEveryMs = 2_000;
const noteKeyUsesEveryMs = 10_000;

/** What every door asks before it lets a call in. */
export interface Admission {
  keyCheck: CheckApiKeyDeps & { proxyHops: number };
  manageKeys: ManageApiKeysDeps;
  audit: AuditStore;
  trail: AuditTrail;
  indexes: IndexPlan;
  /** Brings what is stored up to the settings. */
  start(): Promise<void>;
  /** Begins the periodic work behind it. */
  open(): void;
  /** Ends it, once no call is in hand any more. */
  stop(): Promise<void>;
}

/** Builds what stands between a caller and the use cases. */
export function composeAdmission(kit: Kit, settings: Settings): Admission {
  const { log, request } = kit;
  const now = () => new Date();
  const keys = createApiKeysStore(kit.database);
  const cache = createKeyCache((prefixes) => keys.byPrefixes(prefixes));
  const uses = createKeyUses((noted) => keys.markUsed(noted), now);
  const countCall = createRateLimiter(kit.database, { calls: settings.RATE_LIMIT_PER_MINUTE });
  const audit = createAuditStore(kit.database.db);
  const trail = createAuditTrail({
    ...{ audit, log, now },
    projectOf: (about) => findProjectOf({ request }, about),
  });
  const running: Periodic[] = [];

  return {
    keyCheck: {
      ...{ findKey: cache.find, countCall, noteUse: uses.note, now },
      proxyHops: settings.TRUSTED_PROXY_HOPS,
      failedKeys: createFailedKeys({ perMinute: settings.FAILED_KEYS_PER_MINUTE }),
      noteLockOut: (address) =>
        log.warn({ client: address }, 'Too many wrong API keys from one address: it must wait.'),
    },
    manageKeys: { request, keys, forgetKey: cache.forget, now },
    audit,
    trail,
    indexes: { ...apiKeysIndexes, ...auditIndexes, ...rateLimitIndexes },
    start: () => audit.keepForDays(settings.AUDIT_RETENTION_DAYS),
    open() {
      running.push(
        periodically(() => cache.refresh(), {
          ...{ everyMs: refreshKeysEveryMs, what: 'Reading the API keys in use', log },
        }),
        periodically(() => uses.flush(), {
          ...{ everyMs: noteKeyUsesEveryMs, what: 'Noting when API keys were used', log },
        }),
      );
    },
    async stop() {
      await Promise.all([...running.map((work) => work.stop()), trail.idle()]);
      await uses.flush().catch((error: unknown) => {
        log.warn({ err: error }, 'When API keys were used last could not be noted.');
      });
    },
  };
}
