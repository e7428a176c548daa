import type { ScanState } from './api-client';

const SOURCES: Record<ScanState['advisory_data'], string> = {
  feed: 'the full advisory feeds',
  starter: 'the starter set of advisories',
  none: 'no advisories',
};

/** Formats coverage and advisory data of the uploads. */
export function coverageLine(scans: readonly ScanState[]): string {
  const count = (of: (coverage: NonNullable<ScanState['coverage']>) => number): number =>
    scans.reduce((sum, { coverage }) => sum + (coverage ? of(coverage) : 0), 0);
  const components = count((coverage) => coverage.components);
  const judged = count((coverage) => coverage.evaluated);
  const sampled = count(({ undetermined }) => undetermined['starter_data'] ?? 0);
  const sources = [...new Set(scans.map((scan) => SOURCES[scan.advisory_data]))].join(' and ');
  if (judged === 0 && sampled > 0) {
    return `${sampled} of ${components} packages were compared with ${sources}: a sample, so that the others cannot be called clean.`;
  }
  const beside = sampled > 0 ? ` ${sampled} more were compared with the starter set only.` : '';
  return `${judged} of ${components} packages were judged, against ${sources}.${beside}`;
}
