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
import { periodKeys, reasonsKey, riskKey, type ReportingRule } from '../domain/alert-reasons';
import type { AlertRuleDocument, MarkDocument, NotificationDocument } from '../store/documents';
import type { NotificationStore } from '../store/notification-store';
import type { NewReminder } from './gather-reminders';
import type { ProjectStates, ServiceState } from './project-service-states';

/**
 * Maximum alert periods per message; the rest follows at the next check. Bounds memory and the
 * transaction.
 */
export const maxNotified = 10_000;

export interface GatherDeps {
  notifications: Pick<NotificationStore, 'among' | 'marks'>;
  request: Request;
}

export type GatheredRule = Pick<AlertRuleDocument, 'project_id'> & ReportingRule;

/** A vulnerability of which an alert period is new to a rule. */
export type NewAlertPeriod = Pick<
  NotificationDocument,
  '_id' | 'rule_id' | 'project_id' | 'service_id' | 'vulnerability_id' | 'severity'
> & {
  /** Keys of its other alert periods that the message also reports. */
  also: string[];
  /** Start of the latest one that is new. */
  periodStart: Date;
};

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
  /** What the message reminds of. */
  reminders: NewReminder[];
  /** The digest that a message about these serves. */
  digested_to?: Date;
  /** Trace contexts of the changes of services with something new. */
  traceparents: string[];
}

/** Services that are read together, and what of them. */
interface Work {
  rule: GatheredRule;
  /** Of which the risk values alone changed: only what they are a reason for is read. */
  rerated: boolean;
  services: readonly ServiceState[];
  /** See `riskKey`. */
  risk: string;
}

/**
 * Finds the alert periods that a rule has not reported, in the services whose state, or whose risk
 * values, changed since their mark, page by page, at most `maxNotified` (in some cases one page
 * more). Writes nothing.
 *
 * @param project service states of the rule's project, read before: later changes make them newer
 * than the marks
 * @throws AppError of the reconciler, or `service_unavailable`
 */
export async function gatherNew(
  deps: GatherDeps,
  rule: GatheredRule,
  project: ProjectStates,
): Promise<Gathered> {
  const gathered: Gathered = {
    alertPeriods: [],
    counts: {},
    top: [],
    marks: [],
    quietMarks: [],
    reminders: [],
    traceparents: [],
  };
  const marks = await deps.notifications.marks(rule._id, reasonsKey(rule));
  const risk = riskKey(rule, project.risk);
  const changed = project.states.filter(
    ({ service_id, version }) => marks.get(service_id)?.version !== version,
  );
  const rerated = project.states.filter(({ service_id, version }) => {
    const mark = marks.get(service_id);
    return mark?.version === version && mark.risk !== risk;
  });
  const seen = new Set<string>();
  const all = [...inParts(changed, false), ...inParts(rerated, true)];
  for (const part of all) {
    const read = await readServices(deps, { work: { rule, risk, ...part }, gathered, seen });
    for (const { service_id, traceparent } of part.services)
      if (traceparent && gathered.alertPeriods.some((one) => one.service_id === service_id))
        gathered.traceparents.push(traceparent);
    if (read === 'enough') break;
  }
  return gathered;
}

function inParts(
  states: readonly ServiceState[],
  rerated: boolean,
): Pick<Work, 'services' | 'rerated'>[] {
  const parts: Pick<Work, 'services' | 'rerated'>[] = [];
  for (let first = 0; first < states.length; first += maxAlertPeriodServices)
    parts.push({ services: states.slice(first, first + maxAlertPeriodServices), rerated });
  return parts;
}

/**
 * Adds what is new in some services. `enough`: the limit is reached, and the services may not be
 * completely read.
 */
async function readServices(
  deps: GatherDeps,
  { work, gathered, seen }: { work: Work; gathered: Gathered; seen: Set<string> },
): Promise<'all' | 'enough'> {
  const { rule, services } = work;
  const withNews = new Set<string>();
  let after: string | null = null;
  do {
    const page: AlertPeriodPage = await pageAfter(deps.request, work, after);
    for (const found of await newOnes(deps, rule, page.alert_periods)) {
      withNews.add(found.view.service_id);
      if (seen.has(found.news._id)) continue;
      seen.add(found.news._id);
      add(gathered, found);
    }
    after = page.next;
    if (after !== null && gathered.alertPeriods.length >= maxNotified) return 'enough';
  } while (after !== null);
  for (const state of services) {
    const mark = markOf(work, state);
    gathered.marks.push(mark);
    if (!withNews.has(state.service_id)) gathered.quietMarks.push(mark);
  }
  return gathered.alertPeriods.length >= maxNotified ? 'enough' : 'all';
}

type AlertPeriodPage = NonNullable<typeof listAlertPeriods.response>;

async function pageAfter(
  request: Request,
  { rule, services, rerated }: Work,
  after: string | null,
): Promise<AlertPeriodPage> {
  const input = {
    project_id: rule.project_id,
    service_ids: services.map(({ service_id }) => service_id),
    threshold: rule.by_severity && !rerated ? rule.severity_threshold : null,
    kev: rule.kev,
    min_epss: rule.min_epss,
    after,
    limit: maxListedAlertPeriods,
  };
  return (await request(listAlertPeriods, input)).body;
}

/** A vulnerability with something new. */
interface Found {
  view: AlertPeriodView;
  news: NewAlertPeriod;
}

async function newOnes(
  deps: GatherDeps,
  rule: GatheredRule,
  alertPeriods: readonly AlertPeriodView[],
): Promise<Found[]> {
  if (alertPeriods.length === 0) return [];
  const all = alertPeriods.map((view) => ({ view, keys: periodKeys(rule, view) }));
  const existing = await deps.notifications.among(
    all.flatMap(({ keys }) => [...keys.recorded, ...keys.required.flatMap(({ anyOf }) => anyOf)]),
  );
  return all.flatMap(({ view, keys }) => {
    const fresh = keys.required.filter(({ anyOf }) => !anyOf.some((key) => existing.has(key)));
    const [since] = fresh
      .map((one) => one.since)
      .sort()
      .reverse();
    const [_id, ...also] = keys.recorded.filter((key) => !existing.has(key));
    if (since === undefined || _id === undefined) return [];
    const { vulnerability_id, service_id, severity } = view;
    const { _id: rule_id, project_id } = rule;
    const periodStart = new Date(since);
    return [
      {
        view,
        news: {
          _id,
          also,
          rule_id,
          project_id,
          service_id,
          vulnerability_id,
          severity,
          periodStart,
        },
      },
    ];
  });
}

function add(gathered: Gathered, { view, news }: Found): void {
  gathered.alertPeriods.push(news);
  gathered.counts[view.severity] = (gathered.counts[view.severity] ?? 0) + 1;
  gathered.top = severest(gathered.top, [view], namedInDigest);
}

function markOf({ rule, risk }: Work, state: ServiceState): MarkDocument {
  return {
    _id: `${rule._id}:${state.service_id}`,
    rule_id: rule._id,
    project_id: rule.project_id,
    service_id: state.service_id,
    reasons: reasonsKey(rule),
    version: state.version,
    risk,
  };
}
