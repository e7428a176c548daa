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
] as const;

export type FigureName = (typeof figureNames)[number];

export type Figures = Partial<Record<FigureName, number>>;

/** Heading of a figure in the table. */
export const figureTitles: Record<FigureName, string> = {
  accepted_per_second: 'accepted/s',
  processed_per_second: 'processed/s',
  accept_ms_p50: '201 after ms p50',
  accept_ms_p95: '201 after ms p95',
  findings_ms_p50: 'findings after ms p50',
  findings_ms_p95: 'findings after ms p95',
  cpu_seconds_per_sbom: 'CPU-s/SBOM',
  client_cpu_seconds_per_sbom: 'client CPU-s/SBOM',
};
