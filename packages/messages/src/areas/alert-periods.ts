import { z } from 'zod';
import { rpc } from '../define';
import { id, type Severity } from './fields';
import { alertThresholds } from './notifier';
import type { KevEntry } from './risk';

/** Maximum page sizes of `list-service-states` and `list-alert-periods`. */
export const maxListedServiceStates = 500;
export const maxListedAlertPeriods = 1000;
/** Maximum services per `list-alert-periods` request. */
export const maxAlertPeriodServices = 200;

/**
 * Numbers that grow when a vulnerability in any service became known to be exploited, or got a
 * higher EPSS score, without a change of its service state.
 */
export interface RiskRevisions {
  kev: number;
  epss: number;
}

/**
 * Services of a project, by id, each with the version of its service state, which increases with
 * every change of its vulnerabilities. Expired acceptances are applied first. Deleted projects and
 * services are omitted. `next`: the `after` of the next page; null at the end.
 */
export const listServiceStates = rpc<{
  /** `traceparent`: trace context of the last change; absent if not traced. */
  states: { service_id: string; version: number; traceparent?: string }[];
  next: string | null;
  risk: RiskRevisions;
}>()({
  service: 'reconciler',
  callers: ['notifier'],
  name: 'list-service-states.v1',
  request: z.object({
    project_id: id,
    after: id.nullable(),
    limit: z.number().int().min(1).max(maxListedServiceStates),
  }),
});

/** An active vulnerability, for alerts. */
export interface AlertPeriodView {
  vulnerability_id: string;
  service_id: string;
  /**
   * Start of the alert period, ISO 8601 with milliseconds: since then the vulnerability has been
   * active at or above the threshold without a break (opened, reopened, no longer accepted, or
   * raised over the threshold). Identifies the period.
   */
  period_start: string;
  /**
   * Starts of this and every higher threshold that it exceeded within this alert period: a receiver
   * that was notified of one of them was notified of this period.
   */
  notified_by: string[];
  /** False: below the threshold, and listed for `kev` or `min_epss` alone. */
  reaches_threshold: boolean;
  /** Since when the vulnerability has been active, whatever its severity. */
  open_since: string;
  /** Entry of the catalog of known exploited vulnerabilities; null: none. */
  kev: KevEntry | null;
  /** When it was known here that this is exploited, as in `VulnerabilityView`; null without `kev`. */
  exploited_known_at: string | null;
  epss_score: number | null;
  severity: Severity;
  cvss_score: number | null;
  cve_id: string;
  title: string;
  package_name: string;
  package_version: string;
  ecosystem: string;
  fixed_versions: string[];
  first_seen_at: string;
}

/**
 * Active vulnerabilities at or above a threshold in these services of a project, by service, and
 * with `kev` those known to be exploited, with `min_epss` those with at least this score. Threshold
 * `low` includes severity `unknown`; without a threshold severity is no reason. `next`: opaque
 * cursor for `after`, as long as the name of a package; null at the end.
 */
export const listAlertPeriods = rpc<{ alert_periods: AlertPeriodView[]; next: string | null }>()({
  service: 'reconciler',
  callers: ['notifier'],
  name: 'list-alert-periods.v1',
  request: z.object({
    project_id: id,
    service_ids: z.array(id).min(1).max(maxAlertPeriodServices),
    threshold: z.enum(alertThresholds).nullable(),
    kev: z.boolean(),
    min_epss: z.number().min(0).max(1).nullable(),
    after: z.string().nullable(),
    limit: z.number().int().min(1).max(maxListedAlertPeriods),
  }),
});
