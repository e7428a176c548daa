import type { AlertThreshold, Severity, VulnerabilityStatus } from '@bomtrail/messages';

/** One SBOM of a version line whose scan result is known. */
export interface SbomVersion {
  sbom_id: string;
  /** The catalog's sequence: upload order. */
  seq: number;
  digest: string;
  created_at: string;
}

/** What one scan says of one vulnerability in one package version: a finding with its details joined. */
export interface Observation {
  package_key: string;
  package_name: string;
  package_version: string;
  /** All versions that this stands for, in any order; absent: `package_version` alone. */
  package_versions?: readonly string[];
  purl: string;
  ecosystem: string;
  is_direct: boolean;
  /** The component is what the document is about; absent for every other one. */
  is_root?: true;
  fixed_versions: string[];
  /** Hash of the details: what people read. */
  details: string;
  /** Every id of the alias group. */
  aliases: string[];
  advisory_ids: string[];
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  published_at: string | null;
}

/** A stretch of the log in which a vulnerability is present; `to` null: up to the newest entry and on. */
export interface PresenceInterval {
  from: number;
  to: number | null;
}

/** What the lists show of a row, from the last entry that holds it. */
export interface Snapshot {
  package_name: string;
  /** The lowest affected version. */
  package_version: string;
  package_versions: string[];
  purl: string;
  ecosystem: string;
  fixed_versions: string[];
  is_direct: boolean;
  /** One of the components is what the document is about; absent where none is. */
  is_root?: true;
  details: string;
  aliases: string[];
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  published_at: string | null;
}

/** Listed states, and two that only keep an identity: gone from every SBOM, or one with an older row. */
export type TrackedStatus = VulnerabilityStatus | 'vanished' | 'merged';

/**
 * Since when a row is listed at or above each threshold, without a break (ISO 8601, milliseconds): this
 * names the episode of which alerts tell. `last`: the latest moment that the row ever had here.
 */
export type AlertPeriods = Partial<Record<AlertThreshold | 'last', string>>;

/** A tracked vulnerability: one alias group in one package of one version line. */
export interface TrackedVulnerability {
  id: string;
  package_key: string;
  /** The advisory that the row was made for: where a group splits, the row stays with it. */
  origin: string;
  /** Every alias that the row ever stood for and that no other row took over, upper case, sorted. */
  identity: string[];
  presence: PresenceInterval[];
  first_seen_at: string | null;
  /** The last SBOM that holds it; null while that is the newest one. */
  last_seen: { sbom_id: string; at: string } | null;
  snapshot: Snapshot | null;
  status: TrackedStatus;
  merged_into: string | null;
  /**
   * As they are stored: no fact of the log says them, and no rule changes them but that of whoever
   * writes the row (ADR 0021). Absent: not stored yet, or by an earlier release.
   */
  alert_periods?: AlertPeriods;
}

/** A risk acceptance, as far as the rules need it. */
export interface ActiveDecision {
  /** Upper case. */
  identity: string[];
  /** Null: the whole project. */
  service_id: string | null;
  expires_at: string | null;
}
