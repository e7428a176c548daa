import type { BenchStack } from '../stack/bench-stack';

/** What the services count of their work, since they were started. */
export interface Counters {
  versionsEvaluated: number;
  setsEvaluatedForUploads: number;
  setsEvaluatedForChanges: number;
  rescans: number;
  serviceStatesChanged: number;
  delays: number;
  delaySeconds: number;
}

/** Reads them from the services' metrics. */
export async function readCounters(stack: BenchStack): Promise<Counters> {
  const scanner = await stack.metrics('scanner');
  const reconciler = await stack.metrics('reconciler');
  const sets = 'bomtrail_component_sets_evaluated_total';
  return {
    versionsEvaluated: sumOf(scanner, 'bomtrail_package_versions_evaluated_total'),
    setsEvaluatedForUploads: sumOf(scanner, sets, 'cause="upload"'),
    setsEvaluatedForChanges: sumOf(scanner, sets, 'cause="change"'),
    rescans: sumOf(scanner, 'bomtrail_scans_total', 'lane="rescan"'),
    serviceStatesChanged: sumOf(
      reconciler,
      'bomtrail_service_states_changed_total',
      'lane="rescan"',
    ),
    delays: sumOf(reconciler, 'bomtrail_advisory_change_delay_seconds_count'),
    delaySeconds: sumOf(reconciler, 'bomtrail_advisory_change_delay_seconds_sum'),
  };
}

/** What was counted between two readings. */
export function countedBetween(before: Counters, after: Counters): Counters {
  const names = Object.keys(before) as (keyof Counters)[];
  const differences = names.map((name) => [name, after[name] - before[name]] as const);
  return Object.fromEntries(differences) as unknown as Counters;
}

/** The sum of all samples of a metric, of those whose labels contain `label`. */
export function sumOf(text: string, metric: string, label = ''): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${metric}{`) || line.startsWith(`${metric} `))
    .filter((line) => line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}
