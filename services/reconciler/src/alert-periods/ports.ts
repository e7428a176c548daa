import type { listAlertPeriods, RequestOf } from '@bomtrail/messages';
import type { RatedValues } from '../risk/domain/risk-values';
import type { Snapshot } from '../tracking/domain/types';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';

/** A page and the cursor of the next one; null if there is none. */
export interface Page<Item, Cursor> {
  items: Item[];
  next: Cursor | null;
}

/** The last vulnerability of a page. */
export interface VulnerabilityCursor {
  service_id: string;
  package_key: string;
  id: string;
}

/** Reasons besides the severity; see `AlertReasons`. */
export interface RiskReasons {
  kev: boolean;
  min_epss: number | null;
}

/** What alerts show of details. */
export type RatedTitle = Pick<RatedValues, 'kev' | 'epss_score' | 'exploited_known_at'> & {
  title: string;
};

/** An open vulnerability with its listed fields. */
export type OpenVulnerability = TrackedVulnerabilityDocument & {
  snapshot: Snapshot | null;
  /** What its details say now; undefined if they are missing. */
  rated: RatedTitle | undefined;
};

/** Open vulnerabilities in some services of a project, for any of these reasons. */
export type AlertPeriodQuery = Omit<RequestOf<typeof listAlertPeriods>, 'after' | 'limit'>;

export type StateVersion = Pick<ServiceStateDocument, '_id' | 'version' | 'traceparent'>;

/** Services and open vulnerabilities for alerts, in pages of one snapshot; empty for a deleted project. */
export interface AlertPeriodStore {
  /**
   * The services of a project in which something was written, by id, with the versions of their states.
   *
   * @param window at most `limit` services after `after`
   */
  services(
    project_id: string,
    window: { after: string | null; limit: number },
  ): Promise<Page<StateVersion, string>>;
  /**
   * Open vulnerabilities with a reason, by service and package; possibly others, if very many details have a
   * risk reason. Services that are deleted or of another project have none.
   */
  page(
    query: AlertPeriodQuery,
    window: { after: VulnerabilityCursor | null; limit: number },
  ): Promise<Page<OpenVulnerability, VulnerabilityCursor>>;
}
