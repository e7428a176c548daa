import type { CsvColumn } from '@bomtrail/csv';
import { eventText, type ExploitedEvidence } from '../vulnerabilities/exploited-evidence';

export const evidenceColumns: readonly CsvColumn<ExploitedEvidence>[] = [
  ['project_name', (one) => one.project_name],
  ['service_name', (one) => one.service_name],
  ['cve_id', (one) => one.cve_id],
  ['package_name', (one) => one.package_name],
  ['package_versions', (one) => one.package_versions],
  ['fixed_versions', (one) => one.fixed_versions],
  ['severity', (one) => one.severity],
  ['status', (one) => one.status],
  ['kev_date_added', (one) => one.kev?.date_added],
  ['kev_due_date', (one) => one.kev?.due_date],
  ['detected_at', (one) => one.detected_at],
  ['exploited_known_at', (one) => one.exploited_known_at],
  ['early_warning_due_at', (one) => one.reporting_deadlines?.early_warning],
  ['notification_due_at', (one) => one.reporting_deadlines?.notification],
  ['final_report_due_at', (one) => one.reporting_deadlines?.final_report],
  ['introduced_in', (one) => one.introduced_in.version],
  ['introduced_at', (one) => one.introduced_in.at],
  ['fixed_in', (one) => one.fixed_in?.version],
  ['fixed_at', (one) => one.fixed_in?.at],
  ['reopened', (one) => one.reopened],
  ['history', (one) => one.timeline.map(eventText)],
  ['history_complete', (one) => one.timeline_complete],
  ['id', (one) => one.id],
  ['service_id', (one) => one.service_id],
];
