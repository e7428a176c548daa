import type { AlertItem, AlertReminder } from '@bomtrail/messages';
import { deliveryId } from '../../domain/delivery-id';
import type { Digest } from '../../domain/digest';
import { fitted, oneService } from '../text/free-text';
import { plainText } from '../text/plain-text';
import { wordingOf } from '../text/wording';
import { webhookLimits, type WebhookMessage } from './schema';

/**
 * A digest as JSON by docs/alerts/webhook.schema.json. Texts are sanitised lines of bounded length,
 * not escaped: a receiver must treat them as text.
 */
export function webhookMessage(digest: Digest): WebhookMessage {
  const { kind, at, rule, project, total, counts, top } = digest;
  const words = wordingOf(digest);
  const { link } = words;
  return {
    version: 1,
    id: deliveryId(digest),
    kind,
    at,
    rule: {
      id: rule.id,
      severity_threshold: rule.threshold,
      by_severity: rule.by_severity,
      kev: rule.kev,
      min_epss: rule.min_epss,
    },
    project: { id: project.id, name: oneService(project.name, webhookLimits.name) },
    summary: oneService(words.headline, webhookLimits.summary),
    text: fitted(plainText(digest), webhookLimits.text, (character) => character),
    url: link === null || link.length > webhookLimits.link ? null : link,
    total,
    counts,
    vulnerabilities: top.map(namedVulnerability),
    reminders_total: digest.reminders?.total ?? 0,
    reminders: (digest.reminders?.first ?? []).map(namedReminder),
  };
}

function namedReminder({
  kind,
  at,
  subject,
  about,
  severity,
}: AlertReminder): WebhookMessage['reminders'][number] {
  const { name, date } = webhookLimits;
  return {
    kind,
    at: oneService(at, date),
    subject: oneService(subject, name),
    about: oneService(about, name),
    severity,
  };
}

function namedVulnerability(item: AlertItem): WebhookMessage['vulnerabilities'][number] {
  const { vulnerability_id, severity, cvss_score, epss_score, kev, reporting_deadlines } = item;
  const { id, title, name, version, fixes, date } = webhookLimits;
  return {
    vulnerability_id,
    cve_id: oneService(item.cve_id, id),
    severity,
    cvss_score,
    title: oneService(item.title, title),
    package_name: oneService(item.package_name, name),
    package_version: oneService(item.package_version, version),
    fixed_versions: item.fixed_versions.slice(0, fixes).map((fix) => oneService(fix, version)),
    service_name: oneService(item.service_name, name),
    kev: kev && {
      date_added: oneService(kev.date_added, date),
      due_date: kev.due_date && oneService(kev.due_date, date),
      ransomware: kev.ransomware,
    },
    epss_score,
    reporting_deadlines,
  };
}
