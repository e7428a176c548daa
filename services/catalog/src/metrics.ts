import { Counter, type Registry } from 'prom-client';

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
