import {
  getProject,
  nameServices,
  reportingDeadlines,
  type AlertItem,
  type AlertPeriodView,
  type AlertReasons,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { namedReminders, type Digest } from '../domain/digest';
import type { AlertRuleDocument } from '../store/documents';
import type { Gathered } from './gather-new';
import type { NewReminder } from './gather-reminders';

export interface DigestDeps {
  request: Request;
  /** As `findingsUrlOf` gives it. */
  findingsUrl: string | undefined;
}

/** The rule of a message. */
export type DigestRule = Pick<
  AlertRuleDocument,
  '_id' | 'project_id' | 'severity_threshold' | 'notification_type' | keyof AlertReasons
>;

/**
 * Builds the content of a message about these alert periods, with current names from the catalog.
 *
 * @throws AppError `project_not_found`, `service_unavailable`
 */
export async function makeDigest(
  deps: DigestDeps,
  rule: DigestRule,
  news: Pick<Gathered, 'counts' | 'top' | 'reminders'> & { total: number; now: Date },
): Promise<Digest> {
  const { name, ships_products } = await projectOf(deps, rule);
  const services = await serviceNames(deps, news.top);
  const items = news.top.map((alertPeriod) =>
    // What has no service is of the project itself.
    alertItem(alertPeriod, services.get(alertPeriod.service_id) ?? name, ships_products),
  );
  return {
    kind: 'alert',
    ...aboutRule(deps, rule, { projectName: name, now: news.now }),
    total: news.total,
    counts: news.counts,
    top: items,
    ...(news.reminders.length > 0 && { reminders: firstReminders(news.reminders) }),
    key: news.top.map((one) => `${one.vulnerability_id} ${one.period_start}`).join(),
  };
}

/** Those that run out first. */
function firstReminders(all: readonly NewReminder[]): NonNullable<Digest['reminders']> {
  const sorted = [...all].sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
  const first = sorted.slice(0, namedReminders);
  return {
    total: all.length,
    first: first.map(({ kind, at, subject, about, severity }) => {
      return { kind, at, subject, about, severity };
    }),
  };
}

/** Rule, project, time and link of a message. */
export function aboutRule(
  deps: Pick<DigestDeps, 'findingsUrl'>,
  rule: DigestRule,
  { projectName, now }: { projectName: string; now: Date },
): Pick<Digest, 'rule' | 'project' | 'at' | 'link'> {
  return {
    rule: {
      id: rule._id,
      threshold: rule.severity_threshold,
      channel: rule.notification_type,
      by_severity: rule.by_severity,
      kev: rule.kev,
      min_epss: rule.min_epss,
    },
    project: { id: rule.project_id, name: projectName },
    at: now.toISOString(),
    link:
      deps.findingsUrl === undefined ? null : `${deps.findingsUrl}?project_id=${rule.project_id}`,
  };
}

/**
 * Reads a rule's project from the catalog.
 *
 * @throws AppError `project_not_found`, `service_unavailable`
 */
export async function projectOf(
  deps: Pick<DigestDeps, 'request'>,
  rule: Pick<DigestRule, 'project_id'>,
): Promise<{ name: string; ships_products: boolean }> {
  const input = { project_id: rule.project_id, project_slug: null };
  return (await deps.request(getProject, input)).body;
}

async function serviceNames(
  deps: Pick<DigestDeps, 'request'>,
  alertPeriods: readonly AlertPeriodView[],
): Promise<Map<string, string | null>> {
  const service_ids = [...new Set(alertPeriods.map(({ service_id }) => service_id))];
  if (service_ids.length === 0) return new Map();
  const { body } = await deps.request(nameServices, { service_ids });
  return new Map(body.map(({ service_id, service_name }) => [service_id, service_name]));
}

function alertItem(
  alertPeriod: AlertPeriodView,
  service_name: string,
  ships_products: boolean,
): AlertItem {
  const { vulnerability_id, severity, cvss_score, cve_id, title } = alertPeriod;
  const { package_name, package_version, fixed_versions, kev, epss_score } = alertPeriod;
  return {
    vulnerability_id,
    severity,
    cvss_score,
    cve_id,
    title,
    package_name,
    package_version,
    fixed_versions,
    service_name,
    kev,
    epss_score,
    reporting_deadlines: ships_products
      ? reportingDeadlines({ ...alertPeriod, status: 'open' })
      : null,
  };
}
