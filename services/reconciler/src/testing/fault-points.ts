import { createLeases, type Database } from '@bomtrail/service-kit';
import type { WithSessionCallback } from 'mongodb';
import { composeCheck } from '../command/compose-check';
import { createBatchedAcceptances } from '../store/acceptance-store';
import { createBatchedServiceStateStore } from '../store/batched-service-state-store';
import { createServiceStateStore, type SaveOutcome } from '../store/service-state-store';
import type { StoredService } from '../store/write-changes';
import { createLapses } from '../use-cases/lapse-expired';
import { createUploadsFirst } from '../use-cases/yield-to-uploads';
import type { TestReconciler } from './start-reconciler';

/** Where a test may hold a reconciler, or let it fail. */
export interface FaultPoints {
  /** When it has decided what to change on a line and has not written it: `before` is what it read. */
  beforeSave?: (before: StoredService) => Promise<void>;
  /** When it has written it, and has not looked at anything else. */
  afterSave?: (outcome: SaveOutcome) => Promise<void>;
  /** Rows that one transaction of a line holds at most, fewer than usual. */
  vulnerabilitiesAtOnce?: number;
  /** Rows of several packages that are in memory at once, fewer than usual. */
  vulnerabilitiesRead?: number;
  /** Before each transaction of a line. */
  beforeTransaction?: () => Promise<void>;
}

export type OwnReconciler = ReturnType<typeof ownReconciler>;

/** A reconciler of its own on the same database, without doors: the test calls its use cases. */
export function ownReconciler(harness: TestReconciler, faults: FaultPoints = {}) {
  const { db } = harness;
  const database: Database = { db, client: db.client, isUp: async () => true };
  const { repair } = composeCheck(database, harness.bus.connection);
  const { vulnerabilitiesAtOnce: vulnerabilities, vulnerabilitiesRead } = faults;
  const states = createServiceStateStore(withFaults(database, faults), {
    vulnerabilities,
    vulnerabilitiesRead,
  });
  const withSaveFaults = <ServiceStates extends Pick<typeof states, 'save'>>(
    own: ServiceStates,
  ): ServiceStates => ({
    ...own,
    async save(before, change) {
      await faults.beforeSave?.(before);
      const outcome = await own.save(before, change);
      await faults.afterSave?.(outcome);
      return outcome;
    },
  });
  const own = { ...repair, states: withSaveFaults(states), uploadsFirst: createUploadsFirst() };
  const batched = {
    ...own,
    states: withSaveFaults(createBatchedServiceStateStore(database, states)),
    acceptances: createBatchedAcceptances(own.acceptances),
  };
  return {
    /** For uploads, deletes and acceptances. */
    deps: {
      ...own,
      batched,
      lapses: createLapses({ ...own, batched, leases: createLeases(db) }),
    },
    /** For advisory changes, which bring many lines up to date together. */
    batched,
  };
}

function withFaults(database: Database, { beforeTransaction }: FaultPoints): Database {
  if (!beforeTransaction) return database;
  const client = {
    async withSession<Result>(work: WithSessionCallback<Result>): Promise<Result> {
      await beforeTransaction();
      return database.client.withSession(work);
    },
  };
  return { ...database, client: client as Database['client'] };
}

/** Holds everyone who comes until as many are there; who comes later passes. */
export function barrier(count: number): () => Promise<void> {
  let there = 0;
  let open: () => void = () => {};
  const met = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    there += 1;
    if (there >= count) open();
    await met;
  };
}

/** Runs something once, the first time that it is called. */
export function once(work: () => Promise<unknown>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
}
