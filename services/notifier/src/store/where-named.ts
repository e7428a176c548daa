import type { NamedAlertRule } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';

/** The filter for a rule; only within the projects that exist for the caller. */
export function whereNamed(named: NamedAlertRule) {
  const { alert_id, of_project } = named;
  if (of_project === null) return { _id: alert_id };
  return { _id: alert_id, project_id: oneOrSeveral(of_project) };
}
