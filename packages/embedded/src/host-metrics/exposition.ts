import { Counter, Gauge, Registry } from 'prom-client';
import { gauge, type Family, type Sample } from './family';
import type { Collectors } from './host-families';

/**
 * Runs all collectors and formats their metrics in Prometheus text format. A failed collector is omitted and reported
 * by `node_scrape_collector_success` 0.
 */
export async function exposeHost(collectors: Collectors): Promise<{ text: string; type: string }> {
  const success: Sample[] = [];
  const duration: Sample[] = [];
  const families: Family[] = [];
  await Promise.all(
    Object.entries(collectors).map(async ([collector, collect]) => {
      const began = performance.now();
      const found = await collect().catch(() => undefined);
      families.push(...(found ?? []));
      success.push({ labels: { collector }, value: found === undefined ? 0 : 1 });
      duration.push({ labels: { collector }, value: (performance.now() - began) / 1000 });
    }),
  );
  families.push(
    gauge(
      'node_scrape_collector_success',
      'node_exporter: Whether a collector succeeded.',
      success,
    ),
    gauge(
      'node_scrape_collector_duration_seconds',
      'node_exporter: Duration of a collector scrape.',
      duration,
    ),
  );
  const registry = new Registry();
  for (const family of families) register(registry, family);
  return { text: await registry.metrics(), type: registry.contentType };
}

function register(registry: Registry, { name, help, type, samples }: Family): void {
  const labelNames = Object.keys(samples[0]?.labels ?? {});
  const options = { name, help, labelNames, registers: [registry] };
  if (type === 'gauge') {
    const metric = new Gauge(options);
    for (const { labels = {}, value } of samples) metric.set(labels, value);
    return;
  }
  const metric = new Counter(options);
  for (const { labels = {}, value } of samples) metric.inc(labels, value);
}
