import { gzipSync } from 'node:zlib';
import { AppError } from '@bomtrail/messages';
import { createKeyedMutex } from '@bomtrail/concurrency';
import type { Request } from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';
import type { Db } from 'mongodb';
import { createStampedCache } from '../cache/stamped-cache';
import type { AdvisorySource } from '../feeds/sources/source';
import { createAdvisoryStore } from '../feeds/store/advisory-store';
import { createComponentNameStore } from '../matching/store/component-name-store';
import { createComponentSetStore } from '../matching/store/component-set-store';
import { createFeedStateStore } from '../feeds/store/feed-state-store';
import { createPackageChangeStore } from '../feeds/store/package-change-store';
import { createPackageVersionStore } from '../matching/store/package-version-store';
import type { loadFeed } from '../feeds/load-feed';
import type { DataStatusDeps } from '../queries/read-feeds';
import type { ReadSetDeps } from '../queries/set-at';
import type { ScanDeps } from '../matching/scan-component-set';

/** Runs something before each store call. */
export type BeforeCall = () => Promise<void>;

/** Dependencies of the use cases of one process. */
export type UseCaseDeps = ScanDeps &
  ReadSetDeps &
  Pick<DataStatusDeps, 'dataStatusIn'> &
  Parameters<typeof loadFeed>[0];

function watched<Store extends object>(store: Store, beforeCall: BeforeCall): Store {
  return new Proxy(store, {
    get(target, name) {
      const method = Reflect.get(target, name) as (...args: unknown[]) => unknown;
      return async (...args: unknown[]) => {
        await beforeCall();
        return method.apply(target, args);
      };
    },
  });
}

/** Methods that return cursors are not wrapped. */
function watchedFinders<Store extends object>(store: Store, beforeCall: BeforeCall): Store {
  const all = watched(store, beforeCall);
  return new Proxy(store, {
    get: (target, name) => Reflect.get(String(name).startsWith('list') ? target : all, name),
  });
}

/**
 * Builds stores and caches on a real database; `beforeCall` runs before each store call. Ingest is
 * a fake that has the purls of `components`.
 */
export function makeUseCaseDeps(
  db: Db,
  components: Readonly<Record<string, readonly string[]>>,
  beforeCall: BeforeCall = async () => {},
): UseCaseDeps {
  const request = (async (
    _definition: unknown,
    { digest = '', digests }: { digest?: string; digests?: string[] },
  ) => {
    await beforeCall();
    if (digests) return { body: { held: digests.filter((one) => components[one]) } };
    const purls = components[digest];
    if (!purls) throw new AppError('sbom_not_found');
    const set = purls.map((purl) => ({ purl, name: purl, version: '', is_direct: true }));
    return { body: { count: set.length }, attachment: gzipSync(JSON.stringify(set)) };
  }) as unknown as Request;
  return {
    request,
    log: createLogger({ service: 'test', level: 'fatal', format: 'json' }),
    feed: watched(createFeedStateStore(db), beforeCall),
    sets: watchedFinders(createComponentSetStore(db), beforeCall),
    changes: watched(createPackageChangeStore(db), beforeCall),
    advisories: watchedFinders(createAdvisoryStore(db), beforeCall),
    versions: watchedFinders(createPackageVersionStore(db), beforeCall),
    names: createComponentNameStore(db),
    withKey: createKeyedMutex(),
    resolutions: new Map(),
    countEvaluated() {},
    countSet() {},
    dataStatusIn: () => () => 'feed',
    requireFeeds: async () => {},
    versionCache: createStampedCache<never>({ maxSize: 100 }),
    descriptionCache: createStampedCache<never>({ maxSize: 100 }),
    advisoryCache: createStampedCache<never>({ maxSize: 100 }),
    setCache: createStampedCache<never>({ maxSize: 100 }),
  } as unknown as UseCaseDeps;
}

/** A complete part of a feed with the records; `beforeFile` runs before each record is read. */
export function sourceOf(
  label: string,
  records: readonly object[],
  options: { edition: string; beforeFile?: (index: number) => Promise<void> },
): AdvisorySource {
  return {
    origin: label,
    isLive: false,
    list: async () => [
      {
        label,
        covers: ['npm'],
        open: async () => ({
          fingerprint: options.edition,
          count: records.length,
          asOf: new Date(),
          increment: null,
          completeUpTo: null,
          async *files() {
            for (const [index, record] of records.entries()) {
              await options.beforeFile?.(index);
              const bytes = Buffer.from(JSON.stringify(record));
              yield { name: `${(record as { id: string }).id}.json`, read: async () => bytes };
            }
          },
          close: async () => {},
        }),
      },
    ],
  };
}
