import type { Composition, Kit } from '@bomtrail/service-runtime';
import type { Settings } from './config';
import { ingestHandlers } from './rpc/handlers';
import { createBlobStore } from './store/blob-store';
import { createDocumentStore, documentIndexes } from './store/document-store';
import { createFreshSets } from './store/fresh-sets';
import { createLicenceStore } from './store/licence-store';
import { createGarbageStore } from './store/garbage-store';
import { ingestSweeps } from './sweeps/sweeps';
import { createAssertProject } from './use-cases/assert-project';
import { createPathsCache } from './use-cases/find-dependency-paths';
import { createLevelsCache } from './use-cases/read-dependency-level';
import { createWorkers } from './worker/worker-pool';

/** Builds ingest from the kit and its settings. */
export function compose(kit: Kit, settings: Settings): Composition {
  const { db } = kit.database;
  const workers = createWorkers({
    threads: settings.PARSER_THREADS,
    maxComponents: settings.MAX_COMPONENTS,
    onThreadError: (err) => kit.log.error({ err }, 'An idle worker thread failed.'),
  });
  const blobs = createBlobStore(db);
  const graceMs = settings.BOMTRAIL_GARBAGE_GRACE_SECONDS * 1000;
  const fresh = createFreshSets(graceMs);
  const deps = {
    workers,
    graceMs,
    request: kit.request,
    documents: createDocumentStore(db, blobs, fresh),
    licences: createLicenceStore(db),
    foundPaths: createPathsCache(),
    readLevels: createLevelsCache(),
    garbage: createGarbageStore(db, blobs, fresh),
    assertProject: createAssertProject(kit.request),
  };
  return {
    indexes: documentIndexes,
    rpc: ingestHandlers(deps),
    sweeps: ingestSweeps(deps),
    stop: () => workers.close(),
  };
}
