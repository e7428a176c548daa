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
};
