import { createLeases, type Database } from '@bomtrail/mongo';
import { createPublishOrThrow, createPublishResult } from '@bomtrail/messaging';
import type { WithSessionCallback } from 'mongodb';
import { Registry } from 'prom-client';
import { createMetrics } from '../metrics';
import { createUploadBatches } from '../tracking/reconcile-sbom';
import { composeCheck } from '../command/compose-check';
import type { SaveOutcome } from '../tracking/ports';
import { createServiceStateStore } from '../tracking/store/service-state-store';
import type { StoredService } from '../tracking/store/write-changes';
import { createLapses } from '../decisions/lapse-expired';
import { createUploadsFirst } from '../tracking/yield-to-uploads';
import type { TestReconciler } from './start-reconciler';

/** Points at which a test can delay or fail a reconciler. */
export interface FaultPoints {
  /** After a decision, before it is saved. `before` is what was read. */
  beforeSave?: (before: StoredService) => Promise<void>;
  /** After a save, before anything else is read. */
  afterSave?: (outcome: SaveOutcome) => Promise<void>;
  /** Maximum number of vulnerabilities in one transaction; default as in production. */
  vulnerabilitiesAtOnce?: number;
  /** Maximum number of vulnerabilities read at once; default as in production. */
  vulnerabilitiesRead?: number;
  /** Before each transaction of a service. */
  beforeTransaction?: () => Promise<void>;
}

export type OwnReconciler = ReturnType<typeof ownReconciler>;

/** A separate reconciler on the same database, without transports: tests call its use cases. */
export function ownReconciler(harness: TestReconciler, faults: FaultPoints = {}) {
  const { db } = harness;
  const database: Database = { db, client: db.client, isUp: async () => true };
  const { repair } = composeCheck(database, harness.bus.connection);
  const { vulnerabilitiesAtOnce: vulnerabilities, vulnerabilitiesRead } = faults;
  const newStates = () =>
    createServiceStateStore(withFaults(database, faults), { vulnerabilities, vulnerabilitiesRead });
  const withSaveFaults = <ServiceStates extends Pick<ReturnType<typeof newStates>, 'save'>>(
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
  const { connection } = harness.bus;
  const own = {
    ...repair,
    states: withSaveFaults(newStates()),
    metrics: createMetrics(new Registry()),
    publishResult: createPublishResult(connection, createPublishOrThrow(connection)),
    uploadBatches: createUploadBatches(),
    uploadsFirst: createUploadsFirst(),
  };
  const batched = {
    ...own,
    states: withSaveFaults(newStates()),
  };
  return {
    /** For uploads, deletes and acceptances. */
    deps: {
      ...own,
      batched,
      lapses: createLapses({ ...own, batched, leases: createLeases(db) }),
    },
    /** For advisory changes, with batching stores. */
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

/** Blocks callers until `count` have arrived; later ones pass. */
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

/** Runs `work` on the first call only. */
export function once(work: () => Promise<unknown>): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await work();
  };
}
