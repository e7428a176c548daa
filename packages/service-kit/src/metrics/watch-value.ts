import { Counter, Gauge, type Registry } from 'prom-client';
import { singleFlight } from '../work/single-flight';
import { withTimeout } from '../work/with-timeout';

/** A value of now, for each set of labels. */
export interface Reading {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/**
 * Whoever asks for metrics waits no longer than this for one of them; what a database is asked for it, it
 * need not go on with.
 */
export const metricWithinMs = 2_000;

const unreadName = 'bomtrail_metric_unread_total';

/**
 * A gauge whose values are read whenever the metrics are asked for. One that cannot be read in time is
 * left out, and counted in `bomtrail_metric_unread_total`: the others are told all the same. While a read
 * is under way no other one is begun; gauges that are told of the same facts share it by `singleFlight`.
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
    ...{ name: gauge.name, help: gauge.help, labelNames: [...(gauge.labelNames ?? [])] },
    registers: [registry],
    async collect() {
      this.reset();
      // Without labels a reset leaves a 0, which would say something.
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
    help: 'Times that a metric could not be read when the metrics were asked for, and was left out',
    labelNames: ['metric'],
    registers: [registry],
  });
}
