import type { AlertThreshold, Severity, VulnerabilityStatus } from '@bomtrail/messages';
import type { Decided } from './decision-types';

/** A service by its ids. */
export interface Service {
  service_id: string;
  project_id: string;
}

/** A scanned SBOM of a service. */
export interface SbomVersion {
  sbom_id: string;
  /** The catalog's sequence number: upload order. */
  seq: number;
  digest: string;
  created_at: string;
  /** When its first scan ended (ISO 8601, milliseconds). Absent: unknown. */
  scanned_at?: string;
  /** Retention dropped its findings; what it contains is in the presence intervals alone. */
  expired?: true;
}

/** One vulnerability in one package version: a finding joined with its details. */
export interface Observation {
  package_key: string;
  package_name: string;
  package_version: string;
  /** All versions that this observation represents, in any order; default: `package_version` alone. */
  package_versions?: readonly string[];
  purl: string;
  ecosystem: string;
  is_direct: boolean;
  /** The component is the subject of the document; absent for all others. */
  is_root?: true;
  fixed_versions: string[];
  /** Hash of the details. */
  details: string;
  /** All ids of the alias group. */
  aliases: string[];
  /** Other CVEs that the matching advisories fix; absent: none. */
  upstream?: readonly string[];
  advisory_ids: string[];
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  published_at: string | null;
}

/** SBOM versions that contain a vulnerability, by sequence; `to` null: up to the newest one and later ones. */
export interface PresenceInterval {
  from: number;
  to: number | null;
  /** When the list could first show it (docs/rules.md DT1 to DT5). A stored fact. Absent: unknown. */
  detected_at?: string;
}

/** The listed fields of a vulnerability, from the last SBOM version that contains it. */
export interface Snapshot {
  package_name: string;
  /** The lowest affected version. */
  package_version: string;
  package_versions: string[];
  purl: string;
  ecosystem: string;
  fixed_versions: string[];
  is_direct: boolean;
  /** One of the components is the subject of the document; absent if none is. */
  is_root?: true;
  details: string;
  aliases: string[];
  /** Other CVEs that the matching advisories fix; absent: none. */
  upstream?: readonly string[];
  cve_id: string;
  severity: Severity;
  cvss_score: number | null;
  published_at: string | null;
}

/**
 * The API's statuses, and two that only keep an identity: in no SBOM any more, or merged into an older
 * vulnerability.
 */
export type TrackedStatus = VulnerabilityStatus | 'vanished' | 'merged';

/**
 * Start of the current alert period by threshold (ISO 8601, milliseconds); `open`: whatever its severity.
 * `last`: the latest start that the vulnerability ever had.
 */
export type AlertPeriods = Partial<Record<AlertThreshold | 'open' | 'last', string>>;

/** One alias group in one package of one service. */
export interface TrackedVulnerability {
  id: string;
  package_key: string;
  /**
   * The advisory for which the vulnerability was created. It decides which group the vulnerability keeps in a
   * split.
   */
  origin: string;
  /** Every alias that the vulnerability ever had and that no other one took over; upper case, sorted. */
  identity: string[];
  presence: PresenceInterval[];
  first_seen_at: string | null;
  /** The last SBOM that contains it; null while that is the newest one. */
  last_seen: { sbom_id: string; at: string } | null;
  snapshot: Snapshot | null;
  status: TrackedStatus;
  /** The decision that determines the status; absent: none applies, or the newest SBOM does not contain it. */
  decided?: Decided;
  merged_into: string | null;
  /** As stored. Set only by `withAlertPeriods` (ADR 0022); absent before. */
  alert_periods?: AlertPeriods;
}
