import type { Severity } from '@bomtrail/messages';
import type { PresenceInterval, SbomVersion } from '../../tracking/domain/types';
import { versionFrom } from '../../tracking/domain/presence';

/** A time, in milliseconds since the epoch; `to` null: not over. */
export interface Span {
  from: number;
  to: number | null;
}

/** A stretch in which the lists of a service showed a vulnerability. */
export interface Stretch extends Span {
  /** Vulnerabilities with the same stretch. */
  count: number;
  severity: Severity;
  /** False: `from` is the upload of its first SBOM, because the time of detection is not stored. */
  isDetected: boolean;
  /** The times in which an acceptance applied. */
  accepted: readonly Span[];
}

/** The SBOM versions of a service, by sequence. */
export type VersionTimes = readonly Pick<SbomVersion, 'seq' | 'created_at' | 'scanned_at'>[];

/**
 * The stretches of a vulnerability, or of several with the same facts.
 *
 * - ST1 A stretch begins with the time of detection of its presence interval (DT1), or, if that is unknown,
 *   with the upload of its first SBOM. It ends when the scan of the first SBOM without it ended, or, if that
 *   is unknown, with its upload.
 * - ST2 A stretch that ended before it was detected was in no list and counts nowhere: an advisory that
 *   concerns only SBOMs that were not the newest any more.
 */
export function stretchesOf(
  vulnerability: {
    /** Vulnerabilities with the same facts. */
    count: number;
    severity: Severity;
    presence: readonly PresenceInterval[];
    accepted: readonly Span[];
  },
  versions: VersionTimes,
): Stretch[] {
  const { count, severity, accepted } = vulnerability;
  return vulnerability.presence.flatMap(({ from: first, to: last, detected_at }): Stretch[] => {
    const opened = versionFrom(versions, first);
    const ending = last === null ? undefined : versionFrom(versions, last + 1);
    if (!opened || (last !== null && !ending)) return [];
    const from = Date.parse(detected_at ?? opened.created_at);
    const to = ending ? Date.parse(ending.scanned_at ?? ending.created_at) : null;
    if (to !== null && to <= from) return [];
    return [{ count, severity, from, to, isDetected: detected_at !== undefined, accepted }];
  });
}
