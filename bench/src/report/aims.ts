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
  'fleet-release': [
    { figure: 'processed_per_second', bound: 'at least', value: 115 },
    { figure: 'cpu_seconds_per_sbom', bound: 'at most', value: 0.017 },
  ],
  'idle-latency': [
    { figure: 'findings_ms_p50', bound: 'at most', value: 60 },
    { figure: 'findings_ms_p95', bound: 'at most', value: 90 },
  ],
  'backlog-new-sets': [
    { figure: 'processed_per_second', bound: 'at least', value: 100 },
    { figure: 'cpu_seconds_per_sbom', bound: 'at most', value: 0.02 },
  ],
  'nightly-fleet': [
    { figure: 'processed_per_second', bound: 'at least', value: 300 },
    { figure: 'cpu_seconds_per_sbom', bound: 'at most', value: 0.012 },
  ],
  'identical-bytes': [{ figure: 'accepted_per_second', bound: 'at least', value: 600 }],
  'accept-rate': accepted,
  'accept-rate-proxied': accepted,
  'grpc-accept-rate': [{ figure: 'accepted_per_second', bound: 'at least', value: 250 }],
  'nightly-under-feed': [{ figure: 'processed_per_second', bound: 'at least', value: 250 }],
  'big-document-5000': bigDocument(1000),
  'big-document-21900': bigDocument(4000),
  // Runs of the same stack differ by about so much.
  'scanner-scaling': [{ figure: 'slowest_to_one_scanner', bound: 'at least', value: 0.9 }],
  'at-rest': [
    { figure: 'ready_ms_first', bound: 'at most', value: 5000 },
    { figure: 'ready_ms_again', bound: 'at most', value: 5000 },
    { figure: 'pss_bytes', bound: 'at most', value: 600e6 },
  ],
  // Of the paced clients; what clients that never rest wait is a matter of their number and the cores.
  'active-list-1m': [
    { figure: 'list_ms_p50', bound: 'at most', value: 10 },
    { figure: 'list_ms_p99', bound: 'at most', value: 50 },
  ],
  'beside-rescans': [
    { figure: 'findings_p95_to_idle', bound: 'at most', value: 2 },
    { figure: 'fewest_rescans_queued', bound: 'at least', value: 5000 },
  ],
  'one-service': [{ figure: 'processed_per_second', bound: 'at least', value: 115 }],
};

function bigDocument(ms: number): Aim[] {
  return [
    { figure: 'findings_ms_p50', bound: 'at most', value: ms },
    { figure: 'peak_rss_bytes', bound: 'at most', value: 2 ** 30 },
  ];
}

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
