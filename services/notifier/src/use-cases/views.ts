import type { AlertRuleView } from '@bomtrail/messages';
import { noOptions } from '../domain/alert-options';
import type { AlertRuleDocument } from '../store/documents';

/** A rule for other services, without its config. */
export function alertRuleView(rule: Omit<AlertRuleDocument, 'config'>): AlertRuleView {
  return {
    id: rule._id,
    project_id: rule.project_id,
    severity_threshold: rule.severity_threshold,
    notification_type: rule.notification_type,
    enabled: rule.enabled,
    by_severity: rule.by_severity,
    kev: rule.kev,
    min_epss: rule.min_epss,
    created_at: rule.created_at.toISOString(),
    options: rule.options ?? noOptions,
  };
}
