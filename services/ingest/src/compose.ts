import type { Composition, Kit } from '@bomtrail/service-kit';
import type { Settings } from './config';
import { ingestAnswers } from './rpc/answers';
import { createBlobStore } from './store/blob-store';
import { createDocumentStore } from './store/document-store';
import { createWorkers } from './worker/worker-pool';

/** Builds ingest from what the kit gives. */
export function compose(kit: Kit, settings: Settings): Composition {
  const { db } = kit.database;
  const workers = createWorkers({
    threads: settings.PARSER_THREADS,
    maxComponents: settings.MAX_COMPONENTS,
    onThreadError: (err) => kit.log.error({ err }, 'A thread for documents died without a task.'),
  });
  const documents = createDocumentStore(db, createBlobStore(db));
  return {
    rpc: ingestAnswers({ documents, workers, request: kit.request }),
    stop: () => workers.close(),
  };
}
