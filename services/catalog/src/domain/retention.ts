import type { Retention, ScanStatus } from '@bomtrail/messages';

/** An SBOM that exists, as the log of its line has it. */
export interface LoggedSbom {
  seq: number;
  created_at: Date;
  scan_status: ScanStatus;
}

/** Sequence numbers of a line's log that retention goes by, all of SBOMs that exist. */
export interface Landmarks {
  latest: number;
  /** The newest one whose result is in the lists; null where there is none. */
  scanned: number | null;
  /** The oldest of the last `keep_last`; null where there are not more than that. */
  oldestOfLast: number | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** What holds for a project: its own retention, else the default. Null: everything is kept. */
export function retentionInForce(
  own: Retention | null | undefined,
  byDefault: Retention,
): Retention | null {
  const inForce = own ?? byDefault;
  return inForce.keep_last === null && inForce.keep_days === null ? null : inForce;
}

/**
 * Does retention drop this SBOM?
 *
 * - K1 It goes when it is neither among the last `keep_last` of its line, by sequence, nor younger than
 *   `keep_days` days. A bound that is not given protects nothing; where none is given nothing goes.
 * - K2 The latest SBOM of a line never goes.
 * - K3 One whose scan is pending never goes.
 * - K4 The newest one that is scanned never goes: while those after it are pending or failed, the lists
 *   stand on it, and without it the line would look clean.
 */
export function isDropped(
  sbom: LoggedSbom,
  landmarks: Landmarks,
  at: { retention: Retention; now: Date },
): boolean {
  const { keep_last, keep_days } = at.retention;
  if (keep_last === null && keep_days === null) return false;
  if (sbom.seq === landmarks.latest || sbom.scan_status === 'pending') return false;
  if (sbom.seq === landmarks.scanned) return false;
  const { oldestOfLast } = landmarks;
  if (keep_last !== null && (oldestOfLast === null || sbom.seq >= oldestOfLast)) return false;
  return keep_days === null || at.now.getTime() - sbom.created_at.getTime() >= keep_days * dayMs;
}
