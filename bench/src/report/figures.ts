/** Every figure that a scenario can give. Names are those of the result file; a released one is never renamed. */
export const figureNames = [
  'accepted_per_second',
  'processed_per_second',
  'accept_ms_p50',
  'accept_ms_p95',
  'findings_ms_p50',
  'findings_ms_p95',
  'cpu_seconds_per_sbom',
  'client_cpu_seconds_per_sbom',
  'mongod_written_bytes_per_sbom',
  'nats_written_bytes_per_sbom',
  'peak_rss_bytes',
  'processed_per_second_1_scanner',
  'processed_per_second_2_scanners',
  'processed_per_second_4_scanners',
  'slowest_to_one_scanner',
  'ready_ms_first',
  'ready_ms_again',
  'pss_bytes',
  'list_ms_p50',
  'list_ms_p99',
  'lists_per_second',
  'busy_list_ms_p50',
  'busy_list_ms_p99',
  'cpu_seconds_per_list',
] as const;

export type FigureName = (typeof figureNames)[number];

export type Figures = Partial<Record<FigureName, number>>;

/** How a figure is shown: its title, and how many of its units one shown unit is (1 when not given). */
export const figureTitles: Record<FigureName, { title: string; unit?: number }> = {
  accepted_per_second: { title: 'accepted/s' },
  processed_per_second: { title: 'processed/s' },
  accept_ms_p50: { title: '201 after ms p50' },
  accept_ms_p95: { title: '201 after ms p95' },
  findings_ms_p50: { title: 'findings after ms p50' },
  findings_ms_p95: { title: 'findings after ms p95' },
  cpu_seconds_per_sbom: { title: 'CPU-ms/SBOM', unit: 1e-3 },
  client_cpu_seconds_per_sbom: { title: 'client CPU-ms/SBOM', unit: 1e-3 },
  mongod_written_bytes_per_sbom: { title: 'mongod KiB written/SBOM', unit: 1024 },
  nats_written_bytes_per_sbom: { title: 'NATS KiB written/SBOM', unit: 1024 },
  peak_rss_bytes: { title: 'peak RSS MiB of one process', unit: 2 ** 20 },
  processed_per_second_1_scanner: { title: 'processed/s, 1 scanner' },
  processed_per_second_2_scanners: { title: 'processed/s, 2 scanners' },
  processed_per_second_4_scanners: { title: 'processed/s, 4 scanners' },
  slowest_to_one_scanner: { title: '2 or 4 scanners to 1' },
  ready_ms_first: { title: 'ready after ms, empty folder' },
  ready_ms_again: { title: 'ready after ms, again' },
  pss_bytes: { title: 'PSS MB of all processes', unit: 1e6 },
  list_ms_p50: { title: 'paced: list after ms p50' },
  list_ms_p99: { title: 'paced: list after ms p99' },
  lists_per_second: { title: 'busy: lists/s' },
  busy_list_ms_p50: { title: 'busy: list after ms p50' },
  busy_list_ms_p99: { title: 'busy: list after ms p99' },
  cpu_seconds_per_list: { title: 'busy: CPU-ms/list', unit: 1e-3 },
};
