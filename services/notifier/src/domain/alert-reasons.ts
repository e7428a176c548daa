import type {
  AlertPeriodView,
  AlertReasons,
  AlertThreshold,
  RiskRevisions,
} from '@bomtrail/messages';
import { notificationKey, notificationKeys } from './notification-key';

/** A rule, as far as it decides what is reported. */
export interface ReportingRule extends AlertReasons {
  _id: string;
  severity_threshold: AlertThreshold;
}

/** The reasons in the `config` of a rule (docs/rules.md AL5). */
export function reasonsOf(config: Readonly<Record<string, unknown>>): AlertReasons {
  const { by_severity, kev, min_epss } = config;
  return {
    by_severity: by_severity !== false,
    kev: kev === true,
    min_epss: typeof min_epss === 'number' ? min_epss : null,
  };
}

/** Identifies what a rule reports: marks of another key are not its own. */
export function reasonsKey(rule: Omit<ReportingRule, '_id'>): string {
  const { by_severity, severity_threshold, kev, min_epss } = rule;
  return [
    by_severity ? severity_threshold : '-',
    ...(kev ? ['kev'] : []),
    ...(min_epss === null ? [] : [`epss ${min_epss}`]),
  ].join(' ');
}

/** The risk values that a rule depends on; empty for none. */
export function riskKey({ kev, min_epss }: AlertReasons, risk: RiskRevisions): string {
  return `${kev ? `k${risk.kev}` : ''}${min_epss === null ? '' : `e${risk.epss}`}`;
}

/** What makes a vulnerability new to a rule, and what is stored once it is reported. */
export interface PeriodKeys {
  /** New unless each of them is stored under one of its keys. */
  required: { anyOf: readonly string[]; since: string }[];
  /** That it is known to be exploited is stored for every rule: `kev` set later repeats nothing. */
  recorded: string[];
}

/**
 * The alert periods of a vulnerability for a rule (docs/rules.md AL6): one for each reason. Those of
 * KEV and EPSS are named by the time since which the vulnerability is open, so each occurs once in
 * that time, whatever the feeds say next.
 */
export function periodKeys(rule: ReportingRule, period: AlertPeriodView): PeriodKeys {
  const keyOf = (name: string) => notificationKey(rule._id, period.vulnerability_id, name);
  const required: PeriodKeys['required'] = [];
  const recorded: string[] = [];
  if (period.reaches_threshold) {
    recorded.push(keyOf(period.period_start));
    required.push({ anyOf: notificationKeys(rule._id, period), since: period.period_start });
  }
  const exploited = keyOf(`${period.open_since}+kev`);
  if (period.kev !== null) recorded.push(exploited);
  if (rule.kev && period.kev !== null) {
    const known = period.exploited_known_at ?? period.open_since;
    const since = known > period.open_since ? known : period.open_since;
    required.push({ anyOf: [exploited], since });
  }
  if (isLikely(rule, period)) {
    const likely = keyOf(`${period.open_since}+epss`);
    recorded.push(likely);
    required.push({ anyOf: [likely], since: period.open_since });
  }
  return { required, recorded };
}

/** Whether the score of a vulnerability is a reason for a rule. */
export function isLikely(
  { min_epss }: Pick<AlertReasons, 'min_epss'>,
  { epss_score }: Pick<AlertPeriodView, 'epss_score'>,
): boolean {
  return min_epss !== null && epss_score !== null && epss_score >= min_epss;
}
