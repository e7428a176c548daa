import { Counter, Gauge, type Registry } from 'prom-client';
import { singleFlight } from '@bomtrail/concurrency';
import { withTimeout } from '@bomtrail/concurrency';

/** A current value for one set of labels. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Timeout for reading one metric, also to be used for its database query. */
export const metricWithinMs = 2_000;

const unreadName = 'bomtrail_metric_unread_total';

/**
 * Registers a gauge whose values are read at each scrape. If a read fails or times out, the gauge is omitted and
 * counted in `bomtrail_metric_unread_total`. Reads of one gauge never overlap; gauges on the same data can share a
 * read by `singleFlight`.
 */
export function watchValue(
  registry: Registry,
  gauge: { name: string; help: string; labelNames?: readonly string[] },
  read: () => Promise<readonly Reading[]>,
): void {
  const unread = unreadCounter(registry);
  unread.inc({ metric: gauge.name }, 0);
  const readNow = singleFlight(async () => read());
  new Gauge({
    name: gauge.name,
    help: gauge.help,
    labelNames: [...(gauge.labelNames ?? [])],
    registers: [registry],
    async collect() {
      this.reset();
      // Without labels a reset leaves a value of 0.
      if (!gauge.labelNames) this.remove();
      try {
        for (const { labels, value } of await withTimeout(readNow(), metricWithinMs))
          this.set(labels ?? {}, value);
      } catch {
        unread.inc({ metric: gauge.name });
      }
    },
  });
}

function unreadCounter(registry: Registry): Counter<'metric'> {
  const known = registry.getSingleMetric(unreadName);
  if (known) return known as Counter<'metric'>;
  return new Counter({
    name: unreadName,
    help: 'Scrapes from which a metric was omitted because it could not be read',
    labelNames: ['metric'],
    registers: [registry],
  });
}
