import { Counter, Histogram, type Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** The reconciler's metrics. Dashboards and alert rules use their names. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    serviceStatesChanged: new Counter({
      name: 'bomtrail_service_states_changed_total',
      help: 'Services whose vulnerabilities were changed by a scan result',
      labelNames: ['lane'],
      registers,
    }),
    /**
     * From the moment at which the revision came into force (clock of the scanner's database server) until
     * the vulnerabilities of a service are written (clock of this process).
     */
    changeDelay: new Histogram({
      name: 'bomtrail_advisory_change_delay_seconds',
      help: 'Time from an advisory change coming into force until the vulnerabilities of a service reflect it',
      buckets: [0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 6 * 3600],
      registers,
    }),
  };
}
