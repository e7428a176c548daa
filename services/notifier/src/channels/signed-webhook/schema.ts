import { alertThresholds, reminderKinds } from '@bomtrail/messages';
import { z } from 'zod';
import { namedInDigest, namedReminders } from '../../domain/digest';

/**
 * Maximum UTF-16 units of texts. With them a message stays below `bytes` of UTF-8 whatever the texts
 * are: ten vulnerabilities of 3,500 units, a character of up to three bytes or two with its escape.
 */
export const webhookLimits = {
  bytes: 256 * 1024,
  name: 400,
  title: 500,
  id: 120,
  version: 120,
  fixes: 10,
  date: 40,
  link: 2048,
  summary: 200,
  text: 16_000,
};

const count = z.int().min(0);
const severity = z.enum(['critical', 'high', 'medium', 'low', 'unknown', 'none']);
const named = (most: number, about: string) => z.string().max(most).describe(about);
const instant = (about: string) => z.string().max(webhookLimits.date).describe(about);

const vulnerability = z.object({
  vulnerability_id: z.uuid().describe('Id in the API; the same as long as it is tracked'),
  cve_id: named(webhookLimits.id, 'CVE id, or that of the advisory'),
  severity,
  cvss_score: z.number().min(0).max(10).nullable(),
  title: named(webhookLimits.title, 'May be empty'),
  package_name: z.string().max(webhookLimits.name),
  package_version: z.string().max(webhookLimits.version),
  fixed_versions: z
    .array(z.string().max(webhookLimits.version))
    .max(webhookLimits.fixes)
    .describe(`At most ${webhookLimits.fixes}; empty: no fix known`),
  service_name: named(webhookLimits.name, 'Of a project without services: the project'),
  kev: z
    .object({
      date_added: instant('Day in UTC'),
      due_date: instant('Day by which CISA asks for a fix').nullable(),
      ransomware: z.boolean(),
    })
    .nullable()
    .describe('Entry in the catalog of known exploited vulnerabilities'),
  epss_score: z.number().min(0).max(1).nullable(),
  reporting_deadlines: z
    .object({
      early_warning: instant('RFC 3339'),
      notification: instant('RFC 3339'),
      final_report: instant('RFC 3339').nullable(),
    })
    .nullable()
    .describe('Of a project that ships products'),
});

const reminder = z.object({
  kind: z.enum(reminderKinds),
  at: instant('When it runs out; of a feed, since when its data is not confirmed. RFC 3339'),
  subject: named(webhookLimits.name, 'A vulnerability, the name of a key or feed'),
  about: named(webhookLimits.name, 'More about it; may be empty'),
  severity: severity.nullable().describe('Of service levels'),
});

/** The body of a generic webhook; docs/alerts/webhook.schema.json is generated from it. */
export const webhookMessageSchema = z
  .object({
    version: z.literal(1).describe('Within a version fields are only added: ignore unknown ones'),
    id: z
      .string()
      .regex(/^[0-9a-f]{32}$/)
      .describe('Equal for repeated attempts, as in the header webhook-id'),
    kind: z.enum(['alert', 'test']).describe('test: a requested sample, of nothing that was found'),
    at: instant('Time of this attempt, RFC 3339'),
    rule: z.object({
      id: z.uuid(),
      severity_threshold: z.enum(alertThresholds),
      by_severity: z.boolean(),
      kev: z.boolean(),
      min_epss: z.number().min(0).max(1).nullable(),
    }),
    project: z.object({ id: z.uuid(), name: z.string().max(webhookLimits.name) }),
    summary: named(webhookLimits.summary, 'One line'),
    text: named(webhookLimits.text, 'The message in plain text, lines separated by \\n'),
    url: z.string().max(webhookLimits.link).nullable().describe('The full list; null: not known'),
    total: count.describe('New vulnerabilities, those that are not named too; 0: reminders alone'),
    counts: z.partialRecord(severity, count),
    vulnerabilities: z
      .array(vulnerability)
      .max(namedInDigest)
      .describe('Known exploited ones first, then the most severe'),
    reminders_total: count.describe('What runs out soon, or has done so'),
    reminders: z.array(reminder).max(namedReminders).describe('Those that run out first'),
  })
  .meta({ title: 'Message of an alert rule to a webhook' });

export type WebhookMessage = z.infer<typeof webhookMessageSchema>;
