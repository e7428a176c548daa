import {
  maxRescannedSboms,
  reconcilerPackageRescans,
  reconcilerRescans,
  reconcilerUploads,
  scannerRescans,
  scannerUploads,
  scanRequested,
  type ConsumerDefinition,
} from '@bomtrail/messages';
import type { Publish, Queued } from '@bomtrail/messaging';
import { eachAlone, type Sweep } from '@bomtrail/service-runtime';
import { resumed, type Logger, type Tracer } from '@bomtrail/telemetry';
import { dueWhileQueued } from '../domain/retry-schedule';
import type { SbomDocument } from '../store/documents';
import type { UsageStore } from '../store/usage-store';
import { deleteSboms, type DeleteSbomDeps } from '../use-cases/delete-sbom';
import { dropRecords, recordsAtOnce } from '../use-cases/drop-records';
import { ofExistingServices } from '../use-cases/existing-services';
import { purgeDeleted, unrespondedSince, type PurgeDeletedDeps } from '../use-cases/purge-deleted';
import { scanReference } from '../use-cases/views';

const batchSize = 500;
const abandonedDeleteMs = 60_000;
const deletionsPerRound = 1_000;
/**
 * Half of the sweep's lease. A slow owner may exceed it: concurrent purges of two processes are
 * harmless.
 */
const purgeRoundMs = 15_000;

/** Sweeps that find the catalog's unfinished work in its database, independent of the bus. */
export function catalogSweeps(
  deps: DeleteSbomDeps &
    PurgeDeletedDeps & {
      usage: UsageStore;
      queued: Queued;
      publish: Publish;
      tracer: Tracer | undefined;
    },
  log: Logger,
): Sweep[] {
  return [
    {
      name: 'pending-scans',
      everySeconds: 5,
      async run() {
        const now = new Date();
        const attempt = Math.floor(now.getTime() / 1000);
        const dueScans = await dueBy(deps.queued, now, [scannerUploads, reconcilerUploads]);
        const scans = await deps.sboms.overdueScans(dueScans, batchSize);
        const requestScan = (sbom: SbomDocument): Promise<boolean> => {
          const from = { tracer: deps.tracer, traceparents: [sbom.traceparent] };
          return resumed(from, { name: 'request scan again' }, () =>
            deps.publish(scanRequested, scanReference(sbom, { revision: 0, attempt })),
          );
        };
        await deps.sboms.postpone(await requestEach(deps, scans, requestScan), 'scan', now);
        const dueRescans = await dueBy(
          async (lane) => Math.max(await deps.queued(lane), await waitingServices(deps.queued)),
          now,
          [scannerRescans, reconcilerRescans],
        );
        const rescans = await deps.sboms.overdueRescans(dueRescans, batchSize);
        const requestRescan = (sbom: SbomDocument): Promise<boolean> => {
          const { revision = 0, changed_at = null } = sbom.rescan ?? {};
          const reference = scanReference(sbom, { revision, attempt, changed_at });
          return deps.publish(scanRequested, reference);
        };
        await deps.sboms.postpone(await requestEach(deps, rescans, requestRescan), 'rescan', now);
        return scans.length + rescans.length;
      },
    },
    {
      name: 'unfinished-deletes',
      everySeconds: 30,
      async run() {
        const abandoned = await deps.sboms.unfinishedDeletes(
          new Date(Date.now() - abandonedDeleteMs),
          batchSize,
        );
        const existing = byService(await ofExistingServices(deps, abandoned));
        return eachAlone(existing, ({ service, sboms }) => deleteSboms(deps, service, sboms), log);
      },
    },
    {
      name: 'removed-sboms',
      everySeconds: 5,
      async run() {
        let removed = 0;
        for (;;) {
          const records = await deps.references.finished(recordsAtOnce);
          await dropRecords(deps, records);
          removed += records.length;
          if (records.length < recordsAtOnce) return removed;
        }
      },
    },
    {
      name: 'purge-deleted',
      everySeconds: 2,
      async run() {
        const deletions = await deps.deletions.unfinished(deletionsPerRound, unrespondedSince());
        return purgeDeleted(deps, deletions, { withinMs: purgeRoundMs, log });
      },
    },
  ];
}

/**
 * Requests the scans of SBOMs whose services exist, in sequence, up to the first that NATS does not
 * store.
 *
 * @returns those that need no request for a while; the others are requested in the next round
 */
async function requestEach(
  deps: Parameters<typeof ofExistingServices>[0],
  due: readonly SbomDocument[],
  ask: (sbom: SbomDocument) => Promise<boolean>,
): Promise<SbomDocument[]> {
  const unrequested = new Set(await ofExistingServices(deps, due));
  for (const sbom of unrequested) {
    if (!(await ask(sbom))) break;
    unrequested.delete(sbom);
  }
  return due.filter((sbom) => !unrequested.has(sbom));
}

/** Upper bound of the services that wait for a batched re-scan. */
async function waitingServices(queued: Queued): Promise<number> {
  return (await queued(reconcilerPackageRescans)) * maxRescannedSboms;
}

/** Groups SBOMs by service. At most `batchSize`, the maximum of one delete. */
function byService(
  sboms: readonly SbomDocument[],
): { service: { _id: string; project_id: string }; sboms: SbomDocument[] }[] {
  const services = new Map<string, SbomDocument[]>();
  for (const sbom of sboms)
    services.set(sbom.service_id, [...(services.get(sbom.service_id) ?? []), sbom]);
  return [...services].map(([_id, of]) => ({
    service: { _id, project_id: of[0]?.project_id ?? '' },
    sboms: of,
  }));
}

/** Queued work is not lost: requesting it again would only lengthen the queue. */
async function dueBy<Payload>(
  queued: Queued,
  now: Date,
  lane: readonly ConsumerDefinition<Payload>[],
): Promise<Date> {
  const waiting = await Promise.all(lane.map((consumer) => queued(consumer)));
  return dueWhileQueued(now, Math.max(...waiting));
}
