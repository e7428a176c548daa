import type { TrackedVulnerability } from './types';

/**
 * Corrects illegal states in stored vulnerabilities before a recomputation. Legal ones keep their object
 * identity. Illegal are:
 *
 * - a merged vulnerability without a target, or whose target is missing, of another package, younger, or
 *   merged into it: it becomes independent again;
 * - two vulnerabilities with the same alias in one package: the oldest stays, the others point to it (R4).
 *
 * @param vulnerabilities all of one service
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
    // Each step leads to an older one, so there is no cycle.
    if (!next || next.package_key !== vulnerability.package_key || next.id >= at.id) return false;
    at = next;
  }
  return at.status !== 'merged';
}

function uniteDoubles(vulnerabilities: readonly TrackedVulnerability[]): TrackedVulnerability[] {
  const byAge = vulnerabilities.filter(({ merged_into }) => merged_into === null).sort(byId);
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
  // Aliases taken over may belong to a third vulnerability.
  return changed.size > 0 ? uniteDoubles(repaired) : repaired;
}

function byId(a: TrackedVulnerability, b: TrackedVulnerability): number {
  return a.id < b.id ? -1 : 1;
}
