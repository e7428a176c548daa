import type { ScanState } from './api-client';

const SOURCES: Record<ScanState['advisory_data'], string> = {
  feed: 'the full advisory feeds',
  starter: 'the starter set of advisories',
  none: 'no advisories',
};

/** How much of the uploads could be judged, on what data: an answer without this could pass for a full one. */
export function coverageLine(scans: readonly ScanState[]): string {
  const components = sum(scans.map(({ coverage }) => coverage?.components ?? 0));
  const evaluated = sum(scans.map(({ coverage }) => coverage?.evaluated ?? 0));
  const sources = [...new Set(scans.map((scan) => SOURCES[scan.advisory_data]))].join(' and ');
  return `${evaluated} of ${components} packages were judged, against ${sources}.`;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
