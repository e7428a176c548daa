import type { Spread } from '../measure/statistics';
import type { FigureName } from './figures';

/** What a figure of a scenario is to come to, in the unit of the figure. */
export interface Aim {
  figure: FigureName;
  bound: 'at least' | 'at most';
  value: number;
}

export interface JudgedAim extends Aim {
  /** By the median of the runs. */
  isReached: boolean;
}

const accepted: readonly Aim[] = [
  { figure: 'accepted_per_second', bound: 'at least', value: 250 },
  { figure: 'accept_ms_p95', bound: 'at most', value: 200 },
];

/** By scenario. Held for two cores of the machine that the first report under these names was made on. */
const aims: Readonly<Record<string, readonly Aim[]>> = {
  'idle-latency': [
    { figure: 'findings_ms_p50', bound: 'at most', value: 60 },
    { figure: 'findings_ms_p95', bound: 'at most', value: 150 },
  ],
  'backlog-new-sets': [
    { figure: 'processed_per_second', bound: 'at least', value: 100 },
    { figure: 'cpu_seconds_per_sbom', bound: 'at most', value: 0.02 },
  ],
  'nightly-fleet': [{ figure: 'processed_per_second', bound: 'at least', value: 300 }],
  'identical-bytes': [{ figure: 'accepted_per_second', bound: 'at least', value: 500 }],
  'accept-rate': accepted,
  'accept-rate-proxied': accepted,
  'grpc-accept-rate': [{ figure: 'accepted_per_second', bound: 'at least', value: 250 }],
  'one-service': [{ figure: 'processed_per_second', bound: 'at least', value: 100 }],
};

/** The aims of a scenario, each with whether the median of its figure reaches it. Unmeasured figures are left out. */
export function judgeAims(
  scenario: string,
  summary: Partial<Record<FigureName, Spread>>,
): JudgedAim[] {
  return (aims[scenario] ?? []).flatMap((aim) => {
    const median = summary[aim.figure]?.median;
    if (median === undefined) return [];
    const isReached = aim.bound === 'at least' ? median >= aim.value : median <= aim.value;
    return [{ ...aim, isReached }];
  });
}
