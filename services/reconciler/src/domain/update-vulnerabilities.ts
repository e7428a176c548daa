import type { TrackedVulnerability } from './types';

/**
 * Stored rows in legal states only, as the input of a recomputation; rows that are legal stay the same
 * objects. What is illegal:
 *
 * - a row that says that it was merged without saying into which, or into one that is not there, of
 *   another package, younger than itself, or merged into it: then it stands for itself again;
 * - two rows that stand for one alias of one package: then the oldest one stays and the others point to
 *   it (R4).
 *
 * @param rows all of one line
 */
export function updateVulnerabilities(
  vulnerabilities: readonly TrackedVulnerability[],
): TrackedVulnerability[] {
  const byId = new Map(vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]));
  const withValidPointers = vulnerabilities.map((vulnerability): TrackedVulnerability => {
    if (vulnerability.merged_into === null && vulnerability.status !== 'merged')
      return vulnerability;
    if (vulnerability.merged_into !== null && pointsToLiving(vulnerability, byId)) {
      return vulnerability.status === 'merged'
        ? vulnerability
        : { ...vulnerability, status: 'merged' };
    }
    return { ...vulnerability, status: 'vanished', merged_into: null };
  });
  return uniteDoubles(withValidPointers);
}

function pointsToLiving(
  vulnerability: TrackedVulnerability,
  byId: ReadonlyMap<string, TrackedVulnerability>,
): boolean {
  let at = vulnerability;
  while (at.merged_into !== null) {
    const next = byId.get(at.merged_into);
    // Ever older: no circle can close.
    if (!next || next.package_key !== vulnerability.package_key || next.id >= at.id) return false;
    at = next;
  }
  return at.status !== 'merged';
}

function uniteDoubles(vulnerabilities: readonly TrackedVulnerability[]): TrackedVulnerability[] {
  const byAge = vulnerabilities
    .filter(({ merged_into }) => merged_into === null)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const owners = new Map<string, TrackedVulnerability>();
  const changed = new Map<string, TrackedVulnerability>();
  for (const vulnerability of byAge) {
    const keys = vulnerability.identity.map((alias) => `${vulnerability.package_key}\n${alias}`);
    const older = keys.flatMap((key) => owners.get(key) ?? []).sort(byId)[0];
    if (older) {
      changed.set(vulnerability.id, { ...vulnerability, status: 'merged', merged_into: older.id });
      const grown = changed.get(older.id) ?? older;
      const identity = [...new Set([...grown.identity, ...vulnerability.identity])].sort();
      changed.set(older.id, { ...grown, identity });
    }
    for (const key of keys) if (!owners.has(key)) owners.set(key, older ?? vulnerability);
  }
  const repaired = vulnerabilities.map(
    (vulnerability) => changed.get(vulnerability.id) ?? vulnerability,
  );
  // What one row took over may be a third one's.
  return changed.size > 0 ? uniteDoubles(repaired) : repaired;
}

function byId(a: TrackedVulnerability, b: TrackedVulnerability): number {
  return a.id < b.id ? -1 : 1;
}
