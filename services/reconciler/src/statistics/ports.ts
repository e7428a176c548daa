import type { ProjectScope } from '@bomtrail/messages';
import type { TrackedVulnerabilityDocument } from '../tracking/store/documents';
import type { DayCounts } from './domain/daily-statistics';
import type { Span, VersionTimes } from './domain/stretches';

/** The statistics of a project on a day. */
export interface DayDocument extends DayCounts {
  _id: string;
  project_id: string;
  /** Components of the newest SBOMs as they were evaluated on the day; absent: unknown. */
  components?: { total: number; undetermined: number };
}

/** What the stored statistics of a project are based on. */
export interface ProgressDocument {
  /** The project's id. */
  _id: string;
  /** Changes with every change of a service or an acceptance. */
  fingerprint: string;
  computed_at: Date;
  /** On the same day, a very large project is not computed again before. Absent: at any time. */
  not_before?: Date;
}

/** A service with the facts that its statistics follow from. */
export interface ServiceFacts {
  versions: VersionTimes;
  vulnerabilities: VulnerabilityFacts[];
}

/** The facts of a vulnerability, or of several that are not told apart. */
export interface VulnerabilityFacts extends Pick<
  TrackedVulnerabilityDocument,
  'severity' | 'presence' | 'detected_at'
> {
  count: number;
  /** The only one; absent: nothing was decided about any of them. */
  one?: DecidedVulnerability;
}

/** What the decisions on a vulnerability are found by. */
export type DecidedVulnerability = Pick<
  TrackedVulnerabilityDocument,
  'service_id' | 'package_key' | 'details_id' | 'found'
>;

/** The decisions on the vulnerabilities of a project. */
export interface ProjectDecisions {
  /** The ids of the details of all vulnerabilities that they may be about; null: any vulnerability. */
  details: readonly string[] | null;
  /** The times in which one takes a vulnerability out of the active list. */
  acceptedTimes(of: DecidedVulnerability): Span[];
}

/** The facts that statistics follow from. */
export interface StatisticsFacts {
  /** All projects with services, each with a value that changes with its facts. */
  fingerprints(): Promise<Map<string, string>>;
  /** The services of a project in batches, with their facts. Vulnerabilities with other details are not told apart. */
  facts(
    projectId: string,
    decided: Pick<ProjectDecisions, 'details'>,
  ): AsyncIterable<ServiceFacts[]>;
  /** The digests of the newest scanned SBOMs of a project, one for each service. */
  newestDigests(projectId: string): Promise<string[]>;
  /** The decisions on the vulnerabilities of a project, of all projects included. */
  decisions(projectId: string): Promise<ProjectDecisions>;
}

/** The stored statistics, by project and day. */
export interface StatisticsStore {
  /** What the stored statistics are based on, by project. */
  progress(): Promise<Map<string, ProgressDocument>>;
  /** The stored days of a project from one on, in order. */
  stored(projectId: string, from: string): Promise<DayDocument[]>;
  /** The stored days of several projects from one on; those of deleted projects are left out. */
  period(
    where: { project_id?: ProjectScope | undefined; without: readonly string[] },
    from: string,
  ): AsyncIterable<DayDocument>;
  /**
   * Stores days and what they are based on, unless the project was deleted. Days before `oldest` are dropped.
   */
  save(
    at: ProgressDocument,
    changed: readonly DayDocument[],
    oldest: string,
  ): Promise<'saved' | 'deleted'>;
}
