import type { NamedAlertRule } from '@bomtrail/messages';

/** The filter for a rule; only within its project if the caller is bound to one. */
export function whereNamed(named: NamedAlertRule) {
  const { alert_id, of_project } = named;
  return of_project === null ? { _id: alert_id } : { _id: alert_id, project_id: of_project };
}
