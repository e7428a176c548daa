import type { IndexPlan, Kit } from '@bomtrail/service-kit';
import { apiKeysIndexes, createApiKeysStore } from './store/api-keys-store';
import { createKeyCache } from './store/key-cache';
import { createKeyUses } from './store/key-uses';
import { periodically, type Periodic } from './store/periodically';
import type { CheckApiKeyDeps } from './use-cases/check-api-key';
import type { ManageApiKeysDeps } from './use-cases/manage-api-keys';

/** Often enough that a read may fail once before a key in use must be waited for. */
const refreshKeysEveryMs = 2_000;
const noteKeyUsesEveryMs = 10_000;

/** What every door asks before it lets a call in. */
export interface Admission {
  keyCheck: CheckApiKeyDeps;
  manageKeys: ManageApiKeysDeps;
  indexes: IndexPlan;
  /** Begins the periodic work behind it. */
  open(): void;
  /** Ends it, once no call is in hand any more. */
  stop(): Promise<void>;
}

/** Builds what stands between a caller and the use cases. */
export function composeAdmission(kit: Kit): Admission {
  const { log, request } = kit;
  const now = () => new Date();
  const keys = createApiKeysStore(kit.database);
  const cache = createKeyCache((prefixes) => keys.byPrefixes(prefixes));
  const uses = createKeyUses((noted) => keys.markUsed(noted), now);
  const running: Periodic[] = [];

  return {
    keyCheck: { findKey: cache.find, noteUse: uses.note, now },
    manageKeys: { request, keys, forgetKey: cache.forget, now },
    indexes: apiKeysIndexes,
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
      await Promise.all(running.map((work) => work.stop()));
      await uses.flush().catch((error: unknown) => {
        log.warn({ err: error }, 'When API keys were used last could not be noted.');
      });
    },
  };
}
