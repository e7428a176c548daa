import {
  listAlertPeriods,
  maxAlertPeriodServices,
  maxListedAlertPeriods,
  type AlertCounts,
  type AlertPeriodView,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { namedInDigest } from '../domain/digest';
import { severest } from '../domain/severest';
import { notificationKeys, notificationKey } from '../domain/notification-key';
import type { AlertRuleDocument, MarkDocument, NotificationDocument } from '../store/documents';
import type { NotificationStore } from '../store/notification-store';
import type { ServiceState } from './project-service-states';

/**
 * Maximum alert periods per message; the rest follows at the next check. Bounds memory and the
 * transaction.
 */
export const maxNotified = 10_000;

export interface GatherDeps {
  notifications: Pick<NotificationStore, 'among' | 'marks'>;
  request: Request;
}

export type GatheredRule = Pick<AlertRuleDocument, '_id' | 'project_id' | 'severity_threshold'>;

/** An alert period that is new to a rule. */
export type NewAlertPeriod = Pick<
  NotificationDocument,
  '_id' | 'rule_id' | 'project_id' | 'service_id' | 'vulnerability_id' | 'severity'
> & { periodStart: Date };

/** Everything that is new to a rule. */
export interface Gathered {
  alertPeriods: NewAlertPeriod[];
  counts: AlertCounts;
  /** The most severe, at most `namedInDigest`. */
  top: AlertPeriodView[];
  /**
   * Marks to store once these alert periods are reported: completely read services, each with its
   * version before reading.
   */
  marks: MarkDocument[];
  /** Marks of services with nothing new, to store in any case. */
  quietMarks: MarkDocument[];
  /** Trace contexts of the changes of services with something new. */
  traceparents: string[];
}

/**
 * Finds the alert periods that a rule has not reported, in the services whose state changed since
 * their mark, page by page, at most `maxNotified` (in some cases one page more). Writes nothing.
 *
 * @param states service states of the rule's project, read before: later changes make them newer
 * than the marks
 * @throws AppError of the reconciler, or `service_unavailable`
 */
export async function gatherNew(
  deps: GatherDeps,
  rule: GatheredRule,
  states: readonly ServiceState[],
): Promise<Gathered> {
  const gathered: Gathered = {
    alertPeriods: [],
    counts: {},
    top: [],
    marks: [],
    quietMarks: [],
    traceparents: [],
  };
  const marks = await deps.notifications.marks(rule);
  const changed = states.filter(({ service_id, version }) => marks.get(service_id) !== version);
  const seen = new Set<string>();
  for (let first = 0; first < changed.length; first += maxAlertPeriodServices) {
    const services = changed.slice(first, first + maxAlertPeriodServices);
    const read = await readServices(deps, { rule, services, gathered, seen });
    for (const { service_id, traceparent } of services)
      if (traceparent && gathered.alertPeriods.some((one) => one.service_id === service_id))
        gathered.traceparents.push(traceparent);
    if (read === 'enough') break;
  }
  return gathered;
}

/**
 * Adds what is new in some services. `enough`: the limit is reached, and the services may not be
 * completely read.
 */
async function readServices(
  deps: GatherDeps,
  work: {
    rule: GatheredRule;
    services: readonly ServiceState[];
    gathered: Gathered;
    seen: Set<string>;
  },
): Promise<'all' | 'enough'> {
  const { rule, services, gathered, seen } = work;
  const withNews = new Set<string>();
  let after: string | null = null;
  do {
    const page: AlertPeriodPage = await pageAfter(deps.request, { rule, services, after });
    for (const alertPeriod of await newOnes(deps, rule, page.alert_periods)) {
      const key = notificationKey(rule._id, alertPeriod.vulnerability_id, alertPeriod.period_start);
      withNews.add(alertPeriod.service_id);
      if (seen.has(key)) continue;
      seen.add(key);
      add(gathered, rule, alertPeriod);
    }
    after = page.next;
    if (after !== null && gathered.alertPeriods.length >= maxNotified) return 'enough';
  } while (after !== null);
  for (const state of services) {
    const mark = markOf(rule, state);
    gathered.marks.push(mark);
    if (!withNews.has(state.service_id)) gathered.quietMarks.push(mark);
  }
  return gathered.alertPeriods.length >= maxNotified ? 'enough' : 'all';
}

type AlertPeriodPage = NonNullable<typeof listAlertPeriods.response>;

async function pageAfter(
  request: Request,
  {
    rule,
    services,
    after,
  }: { rule: GatheredRule; services: readonly ServiceState[]; after: string | null },
): Promise<AlertPeriodPage> {
  const input = {
    project_id: rule.project_id,
    service_ids: services.map(({ service_id }) => service_id),
    threshold: rule.severity_threshold,
    after,
    limit: maxListedAlertPeriods,
  };
  return (await request(listAlertPeriods, input)).body;
}

async function newOnes(
  deps: GatherDeps,
  rule: GatheredRule,
  alertPeriods: readonly AlertPeriodView[],
): Promise<AlertPeriodView[]> {
  if (alertPeriods.length === 0) return [];
  const keys = alertPeriods.map((alertPeriod) => notificationKeys(rule._id, alertPeriod));
  const existing = await deps.notifications.among(keys.flat());
  return alertPeriods.filter((_, index) => !keys[index]?.some((key) => existing.has(key)));
}

function add(gathered: Gathered, rule: GatheredRule, alertPeriod: AlertPeriodView): void {
  const { vulnerability_id, service_id, severity } = alertPeriod;
  gathered.alertPeriods.push({
    _id: notificationKey(rule._id, vulnerability_id, alertPeriod.period_start),
    rule_id: rule._id,
    project_id: rule.project_id,
    service_id,
    vulnerability_id,
    severity,
    periodStart: new Date(alertPeriod.period_start),
  });
  gathered.counts[severity] = (gathered.counts[severity] ?? 0) + 1;
  gathered.top = severest(gathered.top, [alertPeriod], namedInDigest);
}

function markOf(rule: GatheredRule, state: ServiceState): MarkDocument {
  return {
    _id: `${rule._id}:${state.service_id}`,
    rule_id: rule._id,
    project_id: rule.project_id,
    service_id: state.service_id,
    threshold: rule.severity_threshold,
    version: state.version,
  };
}
