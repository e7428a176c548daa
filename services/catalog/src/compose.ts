import type { Composition, Kit } from '@bomtrail/service-kit';
import { Mutex } from 'async-mutex';
import { catalogSubscriptions } from './events/subscriptions';
import { catalogAnswers } from './rpc/answers';
import { createLineStore, lineIndexes } from './store/line-store';
import { createProjectStore, projectIndexes } from './store/project-store';
import { createSbomStore, sbomIndexes } from './store/sbom-store';
import { catalogSweeps } from './sweeps/sweeps';

/** Builds the catalog from what the kit gives. */
export function compose(kit: Kit): Composition {
  const { db } = kit.database;
  const deps = {
    projects: createProjectStore(db),
    lines: createLineStore(kit.database),
    sboms: createSbomStore(db),
    request: kit.request,
    announce: kit.announce,
    inTurn: createTurns(),
  };
  return {
    indexes: { ...projectIndexes, ...lineIndexes, ...sbomIndexes },
    rpc: catalogAnswers(deps),
    events: catalogSubscriptions(deps),
    sweeps: catalogSweeps(deps),
  };
}

/** One queue per key, kept only while somebody waits in it. */
function createTurns() {
  const turns = new Map<string, { mutex: Mutex; waiting: number }>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = turns.get(key) ?? { mutex: new Mutex(), waiting: 0 };
    turns.set(key, turn);
    turn.waiting++;
    try {
      return await turn.mutex.runExclusive(work);
    } finally {
      turn.waiting--;
      if (turn.waiting === 0) turns.delete(key);
    }
  };
}
