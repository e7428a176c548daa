import { singleFlight, metricWithinMs, watchValue } from '@bomtrail/service-kit';
import { Counter, type Registry } from 'prom-client';
import type { SbomStore } from './store/sbom-store';

export type Metrics = ReturnType<typeof createMetrics>;

/** What the catalog counts. Names are part of what dashboards and alert rules read. */
export function createMetrics(registry: Registry) {
  return {
    dropped: new Counter({
      name: 'bomtrail_sboms_dropped_by_retention_total',
      help: 'SBOMs that were deleted because their project keeps no more than the last ones, or the younger ones',
      registers: [registry],
    }),
  };
}

const lanes = ['upload', 'rescan'] as const;

/** What is stored and not yet in the lists: the truth behind the queues, whatever the bus has forgotten. */
export function watchBacklog(registry: Registry, sboms: Pick<SbomStore, 'owed'>): void {
  const read = singleFlight(() => sboms.owed(metricWithinMs));
  const gauge = (name: string, help: string) => ({ name, help, labelNames: ['lane'] });
  watchValue(
    registry,
    gauge(
      'bomtrail_scans_pending',
      'SBOMs by lane whose scan, or whose advisory change, is not in the lists yet',
    ),
    async () => {
      const owed = await read();
      return lanes.map((lane) => ({ labels: { lane }, value: owed[lane].count }));
    },
  );
  watchValue(
    registry,
    gauge(
      'bomtrail_oldest_pending_scan_seconds',
      'Age of the oldest of them: since it was queued, or since the advisory change came into force; 0: none is owed',
    ),
    async () => {
      const owed = await read();
      return lanes.map((lane) => {
        const since = owed[lane].since?.getTime() ?? Date.now();
        return { labels: { lane }, value: Math.max(0, Date.now() - since) / 1000 };
      });
    },
  );
}
