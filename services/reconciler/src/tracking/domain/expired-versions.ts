import type { SbomVersion, Snapshot, TrackedVulnerability } from './types';
import { includesSeq } from './presence';

/** The versions whose findings can be read. */
export function retained(sbomVersions: readonly SbomVersion[]): SbomVersion[] {
  return sbomVersions.filter(({ expired }) => !expired);
}

/**
 * R19 What expired SBOM versions contain follows from the stored presence intervals, because their findings
 * are gone. A vulnerability keeps the snapshot that is stored; after a merge, what contained the merged one
 * contains the remaining one. After a split it stays with the vulnerability that kept the id.
 *
 * @param stored the vulnerabilities before a recomputation
 * @param identified the same with updated identities
 * @returns the content of an expired version, to be called in order of sequence; versions with the same
 *   content get the same map
 */
export function expiredContent(
  stored: readonly TrackedVulnerability[],
  identified: readonly TrackedVulnerability[],
): (sbomVersion: SbomVersion) => Map<string, Snapshot> {
  const mergedInto = new Map(identified.map(({ id, merged_into }) => [id, merged_into]));
  const resolved = (id: string): string => {
    const into = mergedInto.get(id);
    return into ? resolved(into) : id;
  };
  // Oldest first, so that the snapshot of the remaining vulnerability of a merge has priority.
  const present = [...stored]
    .filter(({ presence, snapshot }) => presence.length > 0 && snapshot !== null)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const boundaries = [
    ...new Set(
      present.flatMap(({ presence }) =>
        presence.flatMap(({ from, to }) => (to === null ? [from] : [from, to + 1])),
      ),
    ),
  ].sort((a, b) => a - b);
  let passed = -1;
  let content = new Map<string, Snapshot>();
  return ({ seq }) => {
    let next = passed;
    while (next + 1 < boundaries.length && (boundaries[next + 1] ?? 0) <= seq) next += 1;
    if (next === passed) return content;
    passed = next;
    content = new Map();
    for (const { id, presence, snapshot } of present) {
      const isIn = presence.some((interval) => includesSeq(interval, seq));
      if (isIn && snapshot && !content.has(resolved(id))) content.set(resolved(id), snapshot);
    }
    return content;
  };
}
