import type { Difference } from './difference';
import type { SbomVersion } from './types';

/** An SBOM as the catalog holds it. */
export interface RegisteredSbom extends SbomVersion {
  scanned: boolean;
  /** Its delete has begun. */
  deleting: boolean;
}

/** An SBOM as the log holds it: the entry, or that it was removed. */
export type StoredVersion = SbomVersion | { sbom_id: string; removed: true };

/** How a log differs from what the catalog says. */
export interface VersionsComparison {
  differences: Difference[];
  /** The log as it should be, by sequence. */
  sbomVersions: SbomVersion[];
  /** What is to be stored in the place of what is: entries, and signs of removal. */
  fixes: StoredVersion[];
}

/**
 * The log of a line against the catalog's records, the one truth about which SBOMs there are:
 *
 * - an SBOM that is scanned has an entry;
 * - an entry, and no removed one, has an SBOM; and both agree on its place, its component set, its time.
 *
 * An SBOM comes into the catalog before it comes into the log and leaves the log before it leaves the
 * catalog, so that with the records from before and from after the log was read work in progress is no
 * difference.
 */
export function compareVersions(
  storedVersions: readonly StoredVersion[],
  before: readonly RegisteredSbom[],
  after: readonly RegisteredSbom[],
): VersionsComparison {
  const earlier = new Map(before.map((sbom) => [sbom.sbom_id, sbom]));
  const later = new Map(after.map((sbom) => [sbom.sbom_id, sbom]));
  const comparison: VersionsComparison = { differences: [], sbomVersions: [], fixes: [] };
  const stored = new Set<string>();
  for (const one of storedVersions) {
    const { sbom_id } = one;
    const known = later.get(sbom_id) ?? earlier.get(sbom_id);
    if ('removed' in one) {
      if (isAlive(earlier.get(sbom_id)) && isAlive(later.get(sbom_id))) continue;
      stored.add(sbom_id);
    } else {
      stored.add(sbom_id);
      compareVersion(one, known, comparison);
    }
  }
  for (const sbom of after) {
    const was = earlier.get(sbom.sbom_id);
    if (stored.has(sbom.sbom_id) || !isAlive(sbom) || !isAlive(was)) continue;
    const removed = storedVersions.some(({ sbom_id }) => sbom_id === sbom.sbom_id);
    if (!removed && (!sbom.scanned || !was?.scanned)) continue;
    const sbomVersion = sbomVersionOf(sbom);
    comparison.sbomVersions.push(sbomVersion);
    comparison.fixes.push(sbomVersion);
    comparison.differences.push({
      kind: 'sbom-version-missing',
      id: sbom.sbom_id,
      about: `SBOM with sequence ${sbom.seq}`,
      stored: removed ? 'removed from the log' : 'not in the log',
      expected: `in the log: the catalog has it${sbom.scanned ? ' as scanned' : ''}`,
    });
  }
  comparison.sbomVersions.sort((a, b) => a.seq - b.seq);
  return comparison;
}

function compareVersion(
  sbomVersion: SbomVersion,
  known: RegisteredSbom | undefined,
  comparison: VersionsComparison,
): void {
  const { sbom_id } = sbomVersion;
  if (!known) {
    comparison.fixes.push({ sbom_id, removed: true });
    comparison.differences.push({
      ...{
        kind: 'sbom-version-extra',
        id: sbom_id,
        about: `SBOM with sequence ${sbomVersion.seq}`,
      },
      ...{ stored: 'in the log', expected: 'not in the log: the catalog does not have it' },
    });
    return;
  }
  const expected = sbomVersionOf(known);
  comparison.sbomVersions.push(expected);
  const fields = (['seq', 'digest', 'created_at'] as const).filter(
    (field) => sbomVersion[field] !== expected[field],
  );
  if (fields.length === 0) return;
  const formatted = (one: SbomVersion): string =>
    fields.map((field) => `${field} ${one[field]}`).join(', ');
  comparison.fixes.push(expected);
  comparison.differences.push({
    ...{ kind: 'sbom-version-differs', id: sbom_id, about: `SBOM with sequence ${expected.seq}` },
    ...{ stored: formatted(sbomVersion), expected: formatted(expected) },
  });
}

function isAlive(sbom: RegisteredSbom | undefined): boolean {
  return sbom !== undefined && !sbom.deleting;
}

function sbomVersionOf({ sbom_id, seq, digest, created_at }: RegisteredSbom): SbomVersion {
  return { sbom_id, seq, digest, created_at };
}
