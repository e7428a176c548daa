import type { Schemas } from '../../api/client';

type Tracked = Pick<Schemas['TrackedVulnerability'], 'introduced_in' | 'fixed_in'>;

/** How many findings an SBOM opened and fixed. */
export interface VersionChange {
  opened: number;
  fixed: number;
}

/** What each SBOM opened and fixed of these findings, by its id. */
export function versionChanges(findings: readonly Tracked[]): Map<string, VersionChange> {
  const changes = new Map<string, VersionChange>();
  const at = ({ sbom_id }: Schemas['SbomPoint']) => {
    const known = changes.get(sbom_id) ?? { opened: 0, fixed: 0 };
    changes.set(sbom_id, known);
    return known;
  };
  for (const { introduced_in, fixed_in } of findings) {
    at(introduced_in).opened += 1;
    if (fixed_in) at(fixed_in).fixed += 1;
  }
  return changes;
}
