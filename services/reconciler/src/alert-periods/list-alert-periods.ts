import type { AlertPeriodView } from '@bomtrail/messages';
import { exploitedKnownAt } from '../risk/domain/risk-values';
import { alertPeriodOf } from './domain/alert-periods';
import type {
  AlertPeriodQuery,
  AlertPeriodStore,
  OpenVulnerability,
  VulnerabilityCursor,
} from './ports';
import { alertPeriodsOf } from '../tracking/store/vulnerability-mapping';
import { lapseExpired, type LapseExpiredDeps } from '../decisions/lapse-expired';

export interface ListAlertPeriodsDeps extends LapseExpiredDeps {
  alertPeriods: AlertPeriodStore;
}

/**
 * One page of the open vulnerabilities that an alert rule has a reason to report (docs/rules.md AL5) in some
 * services of a project, with their alert periods. Missing stored fields do not exclude a vulnerability.
 *
 * @param query `after`: `next` of the previous page of the same query
 */
export async function listAlertPeriods(
  deps: ListAlertPeriodsDeps,
  query: AlertPeriodQuery & { after: string | null; limit: number },
): Promise<{ alert_periods: AlertPeriodView[]; next: string | null }> {
  const { after, limit } = query;
  await lapseExpired(deps, query.project_id);
  const window = { after: after === null ? null : cursorOf(after), limit };
  const { items, next } = await deps.alertPeriods.page(query, window);
  const views = items.map((vulnerability) => alertPeriodView(vulnerability, query));
  return {
    alert_periods: views.filter((view) => hasReason(view, query)),
    next: next && [next.service_id, next.package_key, next.id].join(separator),
  };
}

/** In no id and no package. */
const separator = '\n';

/** @throws Error if it is not the `next` of a page */
function cursorOf(after: string): VulnerabilityCursor {
  const [service_id, package_key, id, ...more] = after.split(separator);
  if (!service_id || !package_key || !id || more.length > 0)
    throw new Error(`Invalid cursor: ${JSON.stringify(after)}.`);
  return { service_id, package_key, id };
}

function hasReason(view: AlertPeriodView, { kev, min_epss }: AlertPeriodQuery): boolean {
  if (view.reaches_threshold || (kev && view.kev !== null)) return true;
  return min_epss !== null && view.epss_score !== null && view.epss_score >= min_epss;
}

function alertPeriodView(
  vulnerability: OpenVulnerability,
  { threshold }: AlertPeriodQuery,
): AlertPeriodView {
  const { snapshot, rated } = vulnerability;
  const first_seen_at = vulnerability.first_seen_at?.toISOString() ?? null;
  const facts = {
    status: vulnerability.status,
    snapshot,
    first_seen_at,
    ...alertPeriodsOf(vulnerability),
  };
  const period = alertPeriodOf(facts, threshold);
  const cve_id = snapshot?.cve_id ?? vulnerability.origin;
  return {
    vulnerability_id: vulnerability._id,
    service_id: vulnerability.service_id,
    ...period,
    severity: snapshot?.severity ?? 'unknown',
    cvss_score: snapshot?.cvss_score ?? null,
    cve_id,
    title: rated?.title ?? cve_id,
    package_name: snapshot?.package_name ?? vulnerability.package_key,
    package_version: snapshot?.package_version ?? '',
    ecosystem: snapshot?.ecosystem ?? '',
    fixed_versions: snapshot?.fixed_versions ?? [],
    first_seen_at: first_seen_at ?? period.period_start,
    kev: rated?.kev ?? null,
    exploited_known_at: exploitedKnownAt(rated, vulnerability.detected_at),
    epss_score: rated?.epss_score ?? null,
  };
}
