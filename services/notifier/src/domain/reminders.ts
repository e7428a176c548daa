import type {
  AlertReminder,
  ExpiringKey,
  FeedView,
  ListedAcceptance,
  VulnerabilityView,
} from '@bomtrail/messages';

/** A reminder with what identifies it for a rule: each is told once. */
export interface Reminder extends AlertReminder {
  /** Without the rule. */
  key: string;
  /** Since when it is to be told. */
  since: Date;
}

const dayMs = 24 * 3_600_000;

/** Those that run out up to this time are reminded of. */
export function horizonOf(days: number, now: Date): Date {
  return new Date(now.getTime() + days * dayMs);
}

/** AL12: a decision of a person that ends; a later end is reminded of again. */
export function ofDecision(one: ListedAcceptance, days: number, now: Date): Reminder[] {
  const { id, expires_at, source, cve_id, package_name } = one;
  if (expires_at === null || source !== 'manual' || new Date(expires_at) <= now) return [];
  return [
    {
      kind: 'decision',
      key: `decision:${id}:${expires_at}`,
      at: expires_at,
      subject: cve_id,
      about: package_name ?? '',
      severity: null,
      since: before(expires_at, days),
    },
  ];
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
    {
      kind: 'feed',
      key: `feed:${ecosystem}:${as_of ?? ''}`,
      at,
      subject: ecosystem,
      about: '',
      severity: null,
      since: now,
    },
  ];
}

function before(at: string, days: number): Date {
  return new Date(Date.parse(at) - days * dayMs);
}
