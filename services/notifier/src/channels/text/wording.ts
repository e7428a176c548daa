import type { AlertItem, AlertReminder, ReportingDeadlines, Severity } from '@bomtrail/messages';
import type { Digest } from '../../domain/digest';
import { isLikely } from '../../domain/alert-reasons';
import { oneService } from './free-text';

/** Maximum UTF-16 units of untrusted text before escaping. */
const most = { project: 80, id: 60, title: 160, name: 120, version: 48, service: 80, date: 10 };
/** A few fixes for several release branches are useful, a full list is not. */
const namedFixes = 3;
/** Most severe first. */
const severities: readonly Severity[] = ['critical', 'high', 'medium', 'low', 'unknown', 'none'];

/** The texts of a digest, sanitised but not escaped: single lines of bounded length. */
export interface Wording {
  /** Count and project, marked if a test. At most 200 UTF-16 units. */
  headline: string;
  /** `2 critical, 1 high` */
  counts: string;
  items: readonly ItemWording[];
  /** What the message reminds of, a sentence each, and how many more. */
  reminders: readonly string[];
  /** Reason for the message. Trusted. */
  why: string;
  /** A URL that is safe in every channel, or null. */
  link: string | null;
}

export interface ItemWording {
  /** `CRITICAL 9.8`. Trusted. */
  severity: string;
  id: string;
  /** May be empty. */
  title: string;
  /** Name and version. */
  package: string;
  fix: string;
  service: string;
  /** That it is known to be exploited, or likely. May be empty. */
  risk: string;
}

export function wordingOf(digest: Digest): Wording {
  const test = digest.kind === 'test' ? 'Test: ' : '';
  const project = named(digest.project.name, most.project);
  return {
    headline: `${test}${headlineOf(digest)} in ${project}`,
    counts: severities
      .filter((severity) => (digest.counts[severity] ?? 0) > 0)
      .map((severity) => `${digest.counts[severity]} ${severity}`)
      .join(', '),
    items: digest.top.map((item) => itemWording(item, digest.rule)),
    reminders: reminderWordings(digest),
    why: whyOf(digest.rule),
    link: digest.link === null ? null : linkOf(digest.link),
  };
}

function headlineOf({ total, reminders }: Digest): string {
  const reminded = reminders?.total ?? 0;
  const things = total === 1 ? 'vulnerability' : 'vulnerabilities';
  if (total > 0 || reminded === 0) return `${total} new ${things}`;
  return reminded === 1 ? '1 reminder' : `${reminded} reminders`;
}

function reminderWordings({ reminders, at }: Digest): string[] {
  if (!reminders) return [];
  const more = moreThan(reminders.first.length, reminders.total);
  const sentences = reminders.first.map((one) => reminderWording(one, at));
  return [...sentences, ...(more === undefined ? [] : [`${more} reminders`])];
}

/** @param now of the message, ISO 8601 */
function reminderWording({ kind, at, subject, about, severity }: AlertReminder, now: string) {
  const what = named(subject, most.name);
  const more = oneService(about, most.service);
  const minute = `${oneService(at.slice(0, 16).replace('T', ' '), 20)} UTC`;
  const isOver = at <= now;
  switch (kind) {
    case 'decision':
      return `The decision about ${what}${more && ` in ${more}`} ends on ${minute}.`;
    case 'bulk_decision':
      return `The decisions made together for the reason “${what}” end on ${minute}.`;
    case 'decision_rule':
      return `The standing rule ${what} ends on ${minute}.`;
    case 'service_level':
      return `${what} in ${more || '(no name)'} (${severity ?? 'unknown'}) ${isOver ? 'was' : 'is'} to be fixed by ${minute}.`;
    case 'api_key':
      return `The API key ${what}${more && ` (${more})`} runs out on ${minute}.`;
    case 'feed':
      return `The advisories of ${what} are stale: nothing newer than ${minute} was loaded.`;
    case 'risk_feed':
      if (more) return `The values of ${what} were never read; the last attempt was on ${minute}.`;
      return `The values of ${what} are stale: nothing newer than ${minute} was loaded.`;
    case 'vex_source':
      if (more)
        return `The VEX documents of ${what} were never read; the last attempt was on ${minute}.`;
      return `The VEX documents of ${what} could not be read since ${minute}.`;
  }
}

/** Threshold `low` includes `unknown` (docs/rules.md AL2). */
function whyOf({ id, threshold, by_severity, kev, min_epss }: Digest['rule']): string {
  const unknown = threshold === 'low' ? ', or of unknown severity' : '';
  const reasons = [
    ...(by_severity ? [`${threshold} or worse${unknown}`] : []),
    ...(kev ? ['known to be exploited'] : []),
    ...(min_epss === null ? [] : [`EPSS of ${min_epss} or more`]),
  ];
  if (reasons.length === 0) return `From alert rule ${id}: reminders only.`;
  return `From alert rule ${id}: ${reasons.join(', or ')}; reported once for as long as that is so.`;
}

/** Count of the vulnerabilities that are not named; undefined if none. */
export function moreThan(named: number, total: number): string | undefined {
  return total > named ? `and ${total - named} more` : undefined;
}

function itemWording(item: AlertItem, rule: Digest['rule']): ItemWording {
  const score = item.cvss_score === null ? '' : ` ${item.cvss_score.toFixed(1)}`;
  const version = oneService(item.package_version, most.version);
  return {
    severity: `${item.severity.toUpperCase()}${score}`,
    id: named(item.cve_id, most.id),
    title: oneService(item.title, most.title),
    package: `${named(item.package_name, most.name)} ${version}`.trim(),
    fix: fixWording(item.fixed_versions),
    service: named(item.service_name, most.service),
    risk: riskWording(item, rule),
  };
}

function riskWording(item: AlertItem, rule: Digest['rule']): string {
  const { kev, epss_score, reporting_deadlines } = item;
  const due = kev?.due_date ? `, fix due ${oneService(kev.due_date, most.date)}` : '';
  return [
    ...(kev ? [`known to be exploited since ${oneService(kev.date_added, most.date)}${due}`] : []),
    ...(reporting_deadlines ? [deadlineWording(reporting_deadlines)] : []),
    ...(isLikely(rule, { epss_score }) ? [`EPSS ${epss_score?.toFixed(3)}`] : []),
  ].join('; ');
}

/** To the minute, in UTC. */
function deadlineWording({
  early_warning,
  notification,
  final_report,
}: ReportingDeadlines): string {
  const minute = (instant: string) => `${instant.slice(0, 16).replace('T', ' ')} UTC`;
  const last = final_report === null ? '' : `, final report ${minute(final_report)}`;
  return `reports due: early warning ${minute(early_warning)}, notification ${minute(notification)}${last}`;
}

function fixWording(versions: readonly string[]): string {
  if (versions.length === 0) return 'no fix known';
  const first = versions.slice(0, namedFixes).map((version) => named(version, most.version));
  const more = moreThan(first.length, versions.length);
  return `fixed in ${first.join(', ')}${more === undefined ? '' : ` ${more}`}`;
}

function named(text: string, limit: number): string {
  return oneService(text, limit) || '(no name)';
}

/** A web URL without characters that end a link in any channel; null if it is none. */
function linkOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, origin, pathname, search, hash } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  const rest = `${pathname}${search}${hash}`.replace(/[\s"'()<>[\\\]^`{|}]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  });
  return `${origin}${rest}`;
}
