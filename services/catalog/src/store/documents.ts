import type {
  AcknowledgingOwner,
  AlertThreshold,
  Retention,
  SbomFormat,
  ScanStatus,
} from '@bomtrail/messages';
import type { LatestSbom } from '../domain/duplicate';

export interface ProjectDocument {
  _id: string;
  slug: string;
  name: string;
  /** Unique: what makes two names the same. */
  name_key: string;
  description: string | null;
  repo_url: string | null;
  platform: string | null;
  created_at: Date;
  updated_at: Date | null;
  /** How many SBOMs of each service are kept; absent: what the installation has as its default. */
  retention?: Retention;
  /** Moved by every new line, so that a line does not begin while its project is being deleted. */
  services_begun?: number;
}

/**
 * A version line: the ordered log of SBOMs of one service, or (`name: null`) of the project itself.
 * A service is its line; they share the id.
 */
export interface ServiceDocument {
  _id: string;
  project_id: string;
  name: string | null;
  created_at: Date;
  /** Sequence number of the newest SBOM that was ever registered; never goes back. */
  seq: number;
  latest: LatestSbom | null;
  /**
   * SBOMs that exist, counted when the newest one was `seq`: where the line has another one, or where
   * this is absent (release 1.0.1 wrote it), the number is not known until a sweep has counted.
   */
  counted?: { sboms: number; seq: number };
  /** Moved by every delete of an SBOM. */
  deletes?: number;
}

export interface SbomDocument {
  _id: string;
  project_id: string;
  service_id: string;
  seq: number;
  version: string | null;
  format: SbomFormat;
  spec_version: string;
  sha256: string;
  /** Component-set digest. */
  digest: string;
  dependency_count: number;
  created_at: Date;
  scan_status: ScanStatus;
  scanned_at: Date | null;
  /** Why it failed, in words that anybody may read. */
  scan_error?: string;
  /** While pending: since when, where it was queued again; absent: since it was uploaded. */
  queued_at?: Date;
  /** While pending: when the scan is asked for again, and how often it was. */
  retry_at?: Date;
  requests?: number;
  /** Of one that was queued again: attempts before this one are of the scan that failed then. */
  since_attempt?: number;
  /** While pending: the upload's place in its trace, so that a scan that is asked for again belongs to it. */
  traceparent?: string;
  /** An advisory change that the lists do not show yet. */
  rescan?: {
    revision: number;
    retry_at: Date;
    requests: number;
    /** When the earliest change came into force that is still owed; null or absent: not known. */
    changed_at?: Date | null;
    /** The packages that all changes that are still owed concern; null or absent: any. */
    packages?: string[] | null;
  };
  /** The thresholds at which its gate passed last; absent: none. */
  gate_passed?: AlertThreshold[];
  /** Tombstone: no read shows the record any more. */
  deleted_at?: Date;
  /** Its delete is done: the record goes as soon as ingest knows that what it refers to loses a reference. */
  removed_at?: Date;
}

/**
 * The tombstone of a project or of a service (the kind says which), kept until nothing of it is left
 * anywhere. The project and its lines, or the line, are out of their collections from then on.
 */
export interface DeletionDocument {
  /** Of the project or of the line. */
  _id: string;
  kind: 'project' | 'service';
  project_id: string;
  begun_at: Date;
  /** When a caller was told that it is done; exactly one is. Null: nobody was yet. */
  told_at: Date | null;
  /** The owners that have nothing of it left. */
  acknowledged: AcknowledgingOwner[];
  /** Nothing of it is left anywhere: it only waits for the delete to be repeated. */
  idle?: true;
}
