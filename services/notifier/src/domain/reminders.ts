import type {
  AlertOptions,
  AlertReminder,
  ExpiringKey,
  FeedView,
  ListedAcceptance,
  RiskFeedView,
  VexSourceView,
  VulnerabilityView,
} from '@bomtrail/messages';

/** A reminder with what identifies it for a rule: each is told once. */
export interface Reminder extends AlertReminder {
  /** Without the rule. */
  key: string;
  /** Since when it is to be told; null: unknown, and it is not given up. */
  since: Date | null;
}

const dayMs = 24 * 3_600_000;

/** Days between two messages of a rule, and one more: checks are late at times, and a week with a change of the clock is longer. */
const longestWait = { day: 2, week: 8, quiet: 2, weekends: 4 };

/**
 * AL12: how many days ahead a rule looks: as many as it says, but beyond its next message, before which it tells
 * nothing; null: it does not remind.
 */
export function remindDaysOf(options: AlertOptions): number | null {
  const { reminder_days, quiet_hours, digest } = options;
  if (reminder_days === null) return null;
  return Math.max(
    reminder_days,
    digest ? longestWait[digest.every] : 0,
    quiet_hours ? longestWait[quiet_hours.weekends ? 'weekends' : 'quiet'] : 0,
  );
}

/** Those that run out up to this time are reminded of. */
export function horizonOf(days: number, now: Date): Date {
  return new Date(now.getTime() + days * dayMs);
}

/**
 * AL12: a decision that ends, if a person made it alone, in bulk or by a standing rule; a later end is reminded of again. The
 * decisions of a call in bulk that end together are one.
 */
export function ofDecision(one: ListedAcceptance, days: number, now: Date): Reminder[] {
  const { expires_at, source } = one;
  if (expires_at === null || source === 'vex' || new Date(expires_at) <= now) return [];
  const { kind, id, ...named } = nameOf(one);
  return [
    {
      kind,
      key: `${kind.replace('_', '-')}:${id}:${expires_at}`,
      at: expires_at,
      ...named,
      severity: null,
      since: before(expires_at, days),
    },
  ];
}

type DecisionReminder = Pick<AlertReminder, 'kind' | 'subject' | 'about'> & { id: string };

function nameOf(one: ListedAcceptance): DecisionReminder {
  const { id, source, cve_id, package_name, rule_name, bulk_id, reason } = one;
  if (source === 'rule') return { kind: 'decision_rule', id, subject: rule_name ?? id, about: '' };
  if (bulk_id !== undefined)
    return { kind: 'bulk_decision', id: bulk_id, subject: reason, about: '' };
  return { kind: 'decision', id, subject: cve_id, about: package_name ?? '' };
}

/**
 * AL12: an open vulnerability whose service level runs out, or has done so; once while it is open.
 *
 * @param due_at null: its service level does not run out
 */
export function ofServiceLevel(
  one: VulnerabilityView,
  due_at: string | null,
  days: number,
): Reminder[] {
  if (due_at === null) return [];
  return [
    {
      kind: 'service_level',
      key: `service-level:${one.id}:${one.detected_at}`,
      at: due_at,
      subject: one.cve_id,
      about: `${one.package_name} ${one.package_version}`,
      severity: one.severity,
      since: before(due_at, days),
    },
  ];
}

export function ofKey({ id, prefix, name, expires_at }: ExpiringKey, days: number): Reminder {
  return {
    kind: 'api_key',
    key: `api-key:${id}`,
    at: expires_at,
    subject: name ?? `bt_${prefix}`,
    about: name === null ? '' : `bt_${prefix}`,
    severity: null,
    since: before(expires_at, days),
  };
}

/** AL13: a feed that is stale, once until it is confirmed again. */
export function ofFeed({ ecosystem, data_status, as_of }: FeedView, now: Date): Reminder[] {
  if (data_status !== 'feed_stale') return [];
  const at = as_of ?? now.toISOString();
  return [
    { ...ofData('feed', `feed:${ecosystem}:${as_of ?? ''}`, at), subject: ecosystem, since: null },
  ];
}

/** About data that was never read: the time of the reminder is that of the last attempt. */
const never = 'never read';

/** EPSS and KEV appear less than daily at times. */
const riskStaleMs = 4 * dayMs;
/** As advisories by default. */
const sourceStaleMs = 2 * dayMs;

/** AL13: EPSS or KEV, whose newest values are of days ago or were never loaded; once until there are newer ones. */
export function ofRiskFeed(one: RiskFeedView, now: Date): Reminder[] {
  const { feed, enabled, as_of, last_error } = one;
  const at = as_of ?? last_error?.at ?? null;
  const isFresh = as_of !== null && now.getTime() - Date.parse(as_of) <= riskStaleMs;
  if (!enabled || at === null || isFresh) return [];
  const key = `risk-feed:${feed}:${as_of ?? ''}`;
  const about = as_of === null ? never : '';
  return [{ ...ofData('risk_feed', key, at), subject: feed.toUpperCase(), about, since: null }];
}

/** AL13: a watched source of VEX documents that cannot be read; once until it was read again. */
export function ofVexSource(one: VexSourceView, now: Date): Reminder[] {
  const { source, last_success_at, last_error } = one;
  const at = last_success_at ?? last_error?.at ?? null;
  const isFresh =
    last_success_at !== null && now.getTime() - Date.parse(last_success_at) <= sourceStaleMs;
  if (at === null || isFresh) return [];
  const key = `vex-source:${source}:${last_success_at ?? ''}`;
  const about = last_success_at === null ? never : '';
  return [{ ...ofData('vex_source', key, at), subject: source, about, since: null }];
}

function ofData(
  kind: AlertReminder['kind'],
  key: string,
  at: string,
): Omit<Reminder, 'subject' | 'since'> {
  return { kind, key, at, about: '', severity: null };
}

function before(at: string, days: number): Date {
  return new Date(Date.parse(at) - days * dayMs);
}
