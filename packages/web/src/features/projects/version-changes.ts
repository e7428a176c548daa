import type { Schemas } from '../../api/client';

type Tracked = Pick<Schemas['TrackedVulnerability'], 'introduced_in' | 'fixed_in'>;

/** One SBOM of a service that opened or fixed findings. */
export interface VersionChange {
  sbomId: string;
  version: string | null;
  at: string;
  opened: number;
  fixed: number;
}

/** The SBOMs that opened or fixed these findings, the oldest first. */
export function versionChanges(findings: readonly Tracked[]): VersionChange[] {
  const changes = new Map<string, VersionChange>();
  const at = (point: Schemas['SbomPoint']) => {
    const known = changes.get(point.sbom_id);
    if (known) return known;
    const { sbom_id: sbomId, version, at: moment } = point;
    const change = { sbomId, version, at: moment, opened: 0, fixed: 0 };
    changes.set(sbomId, change);
    return change;
  };
  for (const { introduced_in, fixed_in } of findings) {
    at(introduced_in).opened += 1;
    if (fixed_in) at(fixed_in).fixed += 1;
  }
  return [...changes.values()].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}
