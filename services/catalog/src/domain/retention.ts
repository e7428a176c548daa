import type { Retention, ScanStatus } from '@bomtrail/messages';

/** The facts about an SBOM that retention needs. */
export interface RetainableSbom {
  seq: number;
  created_at: Date;
  scan_status: ScanStatus;
}

/** Sequence numbers of existing SBOMs of a service that retention depends on. */
export interface Landmarks {
  latest: number;
  /** The newest scanned one; null if none. */
  scanned: number | null;
  /** The newest one that passed a gate; null if none. */
  passed: number | null;
  /** The oldest of the last `keep_last`; null if there are no more than that. */
  oldestOfLast: number | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Effective retention of a project: its own, else the default. Null: everything is kept. */
export function retentionInForce(
  own: Retention | null | undefined,
  byDefault: Retention,
): Retention | null {
  const inForce = own ?? byDefault;
  return inForce.keep_last === null && inForce.keep_days === null ? null : inForce;
}

/**
 * Whether retention expires this SBOM: its bytes, components and findings are dropped, its place in the
 * history stays.
 *
 * - K1 It expires if it is neither among the last `keep_last` of its service, by sequence, nor
 * younger
 * than `keep_days` days. An absent bound keeps nothing; without any bound nothing expires.
 * - K2 The latest SBOM of a service never expires.
 * - K3 An SBOM with a pending scan never expires.
 * - K4 The newest scanned SBOM never expires: while later ones are pending or failed, the
 * service state is
 * based on it, and without it the service would look clean.
 * - K5 The newest SBOM that passed a gate never expires: later builds are compared with its findings.
 */
export function isExpired(
  sbom: RetainableSbom,
  landmarks: Landmarks,
  at: { retention: Retention; now: Date },
): boolean {
  const { keep_last, keep_days } = at.retention;
  if (keep_last === null && keep_days === null) return false;
  if (sbom.seq === landmarks.latest || sbom.scan_status === 'pending') return false;
  if (sbom.seq === landmarks.scanned || sbom.seq === landmarks.passed) return false;
  const { oldestOfLast } = landmarks;
  if (keep_last !== null && (oldestOfLast === null || sbom.seq >= oldestOfLast)) return false;
  return keep_days === null || at.now.getTime() - sbom.created_at.getTime() >= keep_days * dayMs;
}
