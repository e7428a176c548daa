import {
  listAlertPeriods,
  maxAlertPeriodServices,
  maxListedAlertPeriods,
  type AlertCounts,
  type AlertPeriodView,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { namedInDigest } from '../domain/digest';
import { severest } from '../domain/severest';
import { tellingKeys, toldKey } from '../domain/told';
import type { AlertRuleDocument, MarkDocument, ToldDocument } from '../store/documents';
import type { ToldStore } from '../store/told-store';
import type { ServiceState } from './project-service-states';

/** Episodes that one message tells, at most; the rest is told at the next check. Bounds memory and the transaction. */
export const maxTold = 10_000;

export interface GatherDeps {
  told: Pick<ToldStore, 'among' | 'marks'>;
  request: Request;
}

export type GatheredRule = Pick<AlertRuleDocument, '_id' | 'project_id' | 'severity_threshold'>;

/** An episode that is new to a rule. */
export type NewAlertPeriod = Pick<
  ToldDocument,
  '_id' | 'rule_id' | 'project_id' | 'service_id' | 'vulnerability_id' | 'severity'
> & { alertPeriod: Date };

/** What is new to a rule now. */
export interface Gathered {
  alertPeriods: NewAlertPeriod[];
  counts: AlertCounts;
  /** The most severe ones, at most `namedInDigest`. */
  top: AlertPeriodView[];
  /** True once these episodes are told: lines that were read whole, each with the version it had before. */
  marks: MarkDocument[];
  /** Those of the marks whose lines have nothing new: true already. */
  quietMarks: MarkDocument[];
  /** Places in their traces of what changed the lines that have something new. */
  traceparents: string[];
}

/**
 * Looks for the episodes that a rule has not told: in the lines whose ledger has changed since nothing was new there,
 * page by page, at most `maxTold` (one page more in some cases). Writes nothing.
 *
 * @param ledgers of the rule's project, read before: what changes meanwhile makes them newer than the marks say
 * @throws AppError what the reconciler answered, or `service_unavailable`
 */
export async function gatherNew(
  deps: GatherDeps,
  rule: GatheredRule,
  states: readonly ServiceState[],
): Promise<Gathered> {
  const gathered: Gathered = {
    ...{ alertPeriods: [], counts: {}, top: [] },
    ...{ marks: [], quietMarks: [], traceparents: [] },
  };
  const marks = await deps.told.marks(rule);
  const changed = states.filter(({ service_id, version }) => marks.get(service_id) !== version);
  const seen = new Set<string>();
  for (let first = 0; first < changed.length; first += maxAlertPeriodServices) {
    const services = changed.slice(first, first + maxAlertPeriodServices);
    const read = await readLines(deps, { rule, services, gathered, seen });
    for (const { service_id, traceparent } of services)
      if (traceparent && gathered.alertPeriods.some((one) => one.service_id === service_id))
        gathered.traceparents.push(traceparent);
    if (read === 'enough') break;
  }
  return gathered;
}

/** Adds what is new in some lines. `enough`: no more is told now, the lines are not read to their end. */
async function readLines(
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
    for (const alertPeriod of await newOnes(deps, rule, page.alertPeriods)) {
      const key = toldKey(rule._id, alertPeriod.vulnerability_id, alertPeriod.alertPeriod);
      withNews.add(alertPeriod.service_id);
      if (seen.has(key)) continue;
      seen.add(key);
      add(gathered, rule, alertPeriod);
    }
    after = page.next;
    if (after !== null && gathered.alertPeriods.length >= maxTold) return 'enough';
  } while (after !== null);
  for (const state of services) {
    const mark = markOf(rule, state);
    gathered.marks.push(mark);
    if (!withNews.has(state.service_id)) gathered.quietMarks.push(mark);
  }
  return gathered.alertPeriods.length >= maxTold ? 'enough' : 'all';
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
  const asked = {
    project_id: rule.project_id,
    service_ids: services.map(({ service_id }) => service_id),
    threshold: rule.severity_threshold,
    ...{ after, limit: maxListedAlertPeriods },
  };
  return (await request(listAlertPeriods, asked)).body;
}

async function newOnes(
  deps: GatherDeps,
  rule: GatheredRule,
  alertPeriods: readonly AlertPeriodView[],
): Promise<AlertPeriodView[]> {
  if (alertPeriods.length === 0) return [];
  const keys = alertPeriods.map((alertPeriod) => tellingKeys(rule._id, alertPeriod));
  const told = await deps.told.among(keys.flat());
  return alertPeriods.filter((_, place) => !keys[place]?.some((key) => told.has(key)));
}

function add(gathered: Gathered, rule: GatheredRule, alertPeriod: AlertPeriodView): void {
  const { vulnerability_id, service_id, severity } = alertPeriod;
  gathered.alertPeriods.push({
    _id: toldKey(rule._id, vulnerability_id, alertPeriod.alertPeriod),
    rule_id: rule._id,
    project_id: rule.project_id,
    ...{ service_id, vulnerability_id, severity },
    alertPeriod: new Date(alertPeriod.alertPeriod),
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
