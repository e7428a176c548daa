import type {
  EmbeddedVexMode,
  AcknowledgingOwner,
  AlertThreshold,
  Provenance,
  Retention,
  SbomFormat,
  ScanStatus,
  LicensePolicy,
  ServiceLevels,
} from '@bomtrail/messages';
import type { LatestSbom } from '../domain/duplicate';
import type { StoredOwnership } from '../domain/ownership';

export interface ProjectDocument extends StoredOwnership {
  _id: string;
  slug: string;
  name: string;
  /** Unique; equal for equal names. */
  name_key: string;
  description: string | null;
  repo_url: string | null;
  platform: string | null;
  created_at: Date;
  updated_at: Date | null;
  /** Retention; absent: the default of the installation. */
  retention?: Retention;
  /** Days to fix by severity; absent: none. */
  service_levels?: ServiceLevels;
  /** Absent: none. */
  license_policy?: LicensePolicy;
  /** Absent: false. */
  ships_products?: true;
  /** Absent: `off`. */
  embedded_vex?: Exclude<EmbeddedVexMode, 'off'>;
  /** Changed by every new service, so that none is created while the project is being deleted. */
  services_begun?: number;
}

/** A service, or (`name: null`) the project-level service. */
export interface ServiceDocument extends StoredOwnership {
  _id: string;
  project_id: string;
  name: string | null;
  created_at: Date;
  /** Highest sequence number ever assigned; never decreases. */
  seq: number;
  latest: LatestSbom | null;
  /** Number of SBOMs without tombstone. */
  sbom_count: number;
  /** Changed by every delete of an SBOM. */
  deletes?: number;
  /** All SBOMs up to this sequence number are expired; absent: 0. */
  expired_to?: number;
}

export interface SbomDocument {
  _id: string;
  project_id: string;
  service_id: string;
  seq: number;
  version: string | null;
  format: SbomFormat;
  spec_version: string;
  /** Of the document; absent once it is expired. */
  sha256?: string;
  /** Component-set digest; absent once it is expired. */
  digest?: string;
  /**
   * Retention dropped the document, its components and its findings; the record stays. What it
   * referred to is here, where no search for references finds it.
   */
  expired?: { at: Date; sha256: string; digest: string };
  dependency_count: number;
  created_at: Date;
  /** Who uploaded it, and from which build; absent: unknown. */
  provenance?: Provenance;
  scan_status: ScanStatus;
  scanned_at: Date | null;
  /** Human-readable reason of a failed scan. */
  scan_error?: string;
  /** While pending: when it was queued again; absent: since the upload. */
  queued_at?: Date;
  /** While pending: time of the next scan request, and number of requests so far. */
  retry_at?: Date;
  requests?: number;
  /** If queued again: earlier attempts belong to the failed scan. */
  since_attempt?: number;
  /** While pending: trace context of the upload, for repeated scan requests. */
  traceparent?: string;
  /** Pending advisory changes. */
  rescan?: {
    revision: number;
    retry_at: Date;
    requests: number;
    /** When the earliest pending change took effect; null or absent: unknown. */
    changed_at?: Date | null;
    /** When it was marked first, for the age of a change of unknown time; absent: by an earlier release. */
    marked_at?: Date;
    /** Packages of all pending changes; null or absent: any. */
    packages?: string[] | null;
  };
  /** Thresholds at which its gate passed last; absent: none. */
  gate_passed?: AlertThreshold[];
  /** Tombstone: no read returns the record. */
  deleted_at?: Date;
  /**
   * The delete is finished: the record is removed once ingest is notified of the lost references.
   */
  removed_at?: Date;
}

/**
 * Tombstone of a project or service (`kind`), stored until no data of it is left anywhere. The
 * project and its services are removed from their collections.
 */
export interface DeletionDocument {
  /** Id of the project or service. */
  _id: string;
  kind: 'project' | 'service';
  project_id: string;
  begun_at: Date;
  /** When a caller got the response; exactly one does. Null: none yet. */
  responded_at: Date | null;
  /** Owners without remaining data. */
  acknowledged: AcknowledgingOwner[];
  /** No data are left: it only waits for a repeated delete. */
  idle?: true;
}
