import type { Difference } from './difference';
import type { SbomVersion } from '../../tracking/domain/types';

/** An SBOM in the catalog. */
export interface RegisteredSbom extends SbomVersion {
  scanned: boolean;
  /** Its deletion has begun. */
  deleting: boolean;
}

/** A stored SBOM version, or its tombstone. */
export type StoredVersion = SbomVersion | { sbom_id: string; removed: true };

/** The result of comparing the stored SBOM versions with the catalog. */
export interface VersionsComparison {
  differences: Difference[];
  /** The expected SBOM versions, by sequence. */
  sbomVersions: SbomVersion[];
  /** The versions and tombstones that must be written. */
  fixes: StoredVersion[];
}

/**
 * Compares the stored SBOM versions of a service with the catalog, which is the source of truth:
 *
 * - each scanned SBOM has a version;
 * - each version (tombstones aside) has an SBOM, and both agree on sequence, component set and time;
 *   a version whose SBOM expired is expired.
 *
 * An SBOM enters the catalog before the versions and leaves the versions before the catalog. With the catalog
 * read before and after the versions, work in progress is therefore not reported as a difference.
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
      stored: removed ? 'removed' : 'no SBOM version',
      expected: `an SBOM version: the catalog has it${sbom.scanned ? ' as scanned' : ''}`,
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
      kind: 'sbom-version-extra',
      id: sbom_id,
      about: `SBOM with sequence ${sbomVersion.seq}`,
      stored: 'an SBOM version',
      expected: 'no SBOM version: the catalog does not have it',
    });
    return;
  }
  // The reconciler is told first that a version expires.
  const expired = known.expired ?? sbomVersion.expired;
  const { scanned_at } = sbomVersion;
  const stored = { ...(scanned_at && { scanned_at }), ...(expired && { expired }) };
  const expected = { ...sbomVersionOf(known), ...stored };
  comparison.sbomVersions.push(expected);
  const fields = (['seq', 'digest', 'created_at', 'expired'] as const).filter(
    (field) => sbomVersion[field] !== expected[field],
  );
  if (fields.length === 0) return;
  const formatted = (one: SbomVersion): string =>
    fields.map((field) => `${field} ${one[field]}`).join(', ');
  comparison.fixes.push(expected);
  comparison.differences.push({
    kind: 'sbom-version-differs',
    id: sbom_id,
    about: `SBOM with sequence ${expected.seq}`,
    stored: formatted(sbomVersion),
    expected: formatted(expected),
  });
}

function isAlive(sbom: RegisteredSbom | undefined): boolean {
  return sbom !== undefined && !sbom.deleting;
}

function sbomVersionOf({ sbom_id, seq, digest, created_at }: RegisteredSbom): SbomVersion {
  return { sbom_id, seq, digest, created_at };
}
