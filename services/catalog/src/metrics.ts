import { singleFlight } from '@bomtrail/concurrency';
import { metricWithinMs, watchValue } from '@bomtrail/service-runtime';
import { Counter, type Registry } from 'prom-client';
import type { SbomStore } from './store/sbom-store';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of the catalog. Dashboards and alert rules depend on the names. */
export function createMetrics(registry: Registry) {
  return {
    expired: new Counter({
      name: 'bomtrail_sboms_expired_total',
      help: 'SBOMs whose content retention dropped',
      registers: [registry],
    }),
  };
}

const lanes = ['upload', 'rescan'] as const;

/** Pending scans and re-scans from the database, independent of the queues. */
export function watchBacklog(registry: Registry, sboms: Pick<SbomStore, 'backlog'>): void {
  const read = singleFlight(() => sboms.backlog(metricWithinMs));
  const gauge = (name: string, help: string) => ({ name, help, labelNames: ['lane'] });
  watchValue(
    registry,
    gauge('bomtrail_scans_pending', 'SBOMs with a pending scan or advisory change, by lane'),
    async () => {
      const pending = await read();
      return lanes.map((lane) => ({ labels: { lane }, value: pending[lane].count }));
    },
  );
  watchValue(
    registry,
    gauge(
      'bomtrail_oldest_pending_scan_seconds',
      'Age of the oldest pending scan, since it was queued, or since the advisory change took effect; 0: none',
    ),
    async () => {
      const pending = await read();
      return lanes.map((lane) => {
        const since = pending[lane].since?.getTime() ?? Date.now();
        return { labels: { lane }, value: Math.max(0, Date.now() - since) / 1000 };
      });
    },
  );
}
