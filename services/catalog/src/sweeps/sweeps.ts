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
import {
  eachAlone,
  resumed,
  type Publish,
  type Logger,
  type Queued,
  type Sweep,
  type Tracer,
} from '@bomtrail/service-kit';
import { dueWhileQueued } from '../domain/retry-schedule';
import type { SbomDocument } from '../store/documents';
import type { UsageStore } from '../store/usage-store';
import type { ServiceStore } from '../store/service-store';
import { deleteSboms, type DeleteSbomDeps } from '../use-cases/delete-sbom';
import { dropRecords, recordsAtOnce } from '../use-cases/drop-records';
import { ofExistingServices } from '../use-cases/existing-services';
import { purgeDeleted, untoldSince, type PurgeDeletedDeps } from '../use-cases/purge-deleted';
import { scanReference } from '../use-cases/views';

const batchSize = 500;
const abandonedDeleteMs = 60_000;
const deletionsPerRound = 1_000;
/** Half of the sweep's lease. An owner that is slow to answer may outlast it: what two processes purge at once is purged once. */
const purgeRoundMs = 15_000;

/** What finds the catalog's unfinished work in its database, whatever the bus has forgotten. */
export function catalogSweeps(
  deps: DeleteSbomDeps &
    PurgeDeletedDeps & {
      holders: UsageStore;
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
        const askForScan = (sbom: SbomDocument): Promise<boolean> => {
          const from = { tracer: deps.tracer, traceparents: [sbom.traceparent] };
          return resumed(from, { name: 'ask again for a scan' }, () =>
            deps.publish(scanRequested, scanReference(sbom, { revision: 0, attempt })),
          );
        };
        await deps.sboms.postpone(await askForEach(deps, scans, askForScan), 'scan', now);
        const dueRescans = await dueBy(
          async (lane) => Math.max(await deps.queued(lane), await waitingServices(deps.queued)),
          now,
          [scannerRescans, reconcilerRescans],
        );
        const rescans = await deps.sboms.overdueRescans(dueRescans, batchSize);
        const askForRescan = (sbom: SbomDocument): Promise<boolean> => {
          const { revision = 0, changed_at = null } = sbom.rescan ?? {};
          const reference = scanReference(sbom, { revision, attempt, changed_at });
          return deps.publish(scanRequested, reference);
        };
        await deps.sboms.postpone(await askForEach(deps, rescans, askForRescan), 'rescan', now);
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
        const living = byService(await ofExistingServices(deps, abandoned));
        return eachAlone(living, ({ service, sboms }) => deleteSboms(deps, service, sboms), log);
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
      name: 'latest-digests',
      everySeconds: 10,
      async run() {
        let filled = 0;
        for (;;) {
          const some = await deps.holders.fillDigests(batchSize);
          filled += some;
          if (some < batchSize) return filled;
        }
      },
    },
    countsSweep(deps),
    {
      name: 'purge-deleted',
      everySeconds: 2,
      async run() {
        const deletions = await deps.deletions.unfinished(deletionsPerRound, untoldSince());
        return purgeDeleted(deps, deletions, { withinMs: purgeRoundMs, log });
      },
    },
  ];
}

/**
 * Asks for the scans of those whose lines live, one after the other, up to the first that NATS does not store.
 *
 * @returns those that need not be asked for for a while: what was not stored is asked for in the next round
 */
async function askForEach(
  deps: Parameters<typeof ofExistingServices>[0],
  due: readonly SbomDocument[],
  ask: (sbom: SbomDocument) => Promise<boolean>,
): Promise<SbomDocument[]> {
  const open = new Set(await ofExistingServices(deps, due));
  for (const sbom of open) {
    if (!(await ask(sbom))) break;
    open.delete(sbom);
  }
  return due.filter((sbom) => !open.has(sbom));
}

/** The lines that wait to be brought up to date together, at most. */
async function waitingServices(queued: Queued): Promise<number> {
  return (await queued(reconcilerPackageRescans)) * maxRescannedSboms;
}

/** Counts what is not counted; once nothing is left, this process looks no more. */
function countsSweep(deps: { services: ServiceStore }): Sweep {
  let isDone = false;
  return {
    name: 'service-counts',
    everySeconds: 10,
    async run() {
      if (isDone) return 0;
      const counted = await deps.services.fillCounts(batchSize);
      isDone = counted === 0;
      return counted;
    },
  };
}

/** At most `batchSize` are given, which is no more than one delete may name. */
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

/** Work that waits in a queue is not lost: whoever asked for it again would only make the queue longer. */
async function dueBy<Payload>(
  queued: Queued,
  now: Date,
  lane: readonly ConsumerDefinition<Payload>[],
): Promise<Date> {
  const waiting = await Promise.all(lane.map((consumer) => queued(consumer)));
  return dueWhileQueued(now, Math.max(...waiting));
}
